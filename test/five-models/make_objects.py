#!/usr/bin/python3
"""Writes objects.json.gz and oracle.json beside itself.

The objects of five models at the addresses of their publishers, written down here a second time: GFS, ECMWF IFS, AIFS, the
Met Office and ARPEGE, with the waves of the first three, for the cycle of 2026-12-31 18 UTC, and the waves of GWAM of 12
UTC, which are packed by bzip2. Each number is a linear
function of latitude, longitude and lead, other for each model: value = a + b * latitude + c * longitude + d * lead, with
longitudes from -180 and leads in hours. So a value between nodes and steps is known without a table: oracle.json has
a, b, c, d by model and quantity. The domain is 20 to 60 N, 60 to 10 W, of which files of the Met Office have the cells.

Run with Debian's /usr/bin/python3 (python3-eccodes, python3-netcdf4, python3-numpy): make_objects.py
"""
import base64, bz2, datetime, gzip, json, os, tempfile
import eccodes as ec
import netCDF4
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = datetime.datetime(2026, 12, 31, 18)
LATITUDES = np.arange(60.0, 19.0, -10)  # north to south
LONGITUDES = np.arange(-60.0, -9.0, 10)
STEPS = [0, 3, 6]

# a, b, c, d: m s-1 for wind and gust, hPa, m, s, degrees C, %; a direction that waves come FROM is constant, degrees.
oracle = {
    "gfs": {"u": [3, 0.1, -0.05, 0.4], "v": [-2, 0.05, 0.02, -0.3], "gust": [14, 0.05, 0.02, 0.5],
            "pressure": [1012, -0.2, 0.05, -0.5], "height": [2, 0.03, 0.01, 0.1], "period": [8, 0.02, 0.01, 0.1], "from": [250, 0, 0, 0]},
    "ecmwf": {"u": [-4, 0.12, 0.03, 0.2], "v": [5, -0.06, 0.04, 0.1], "gust": [17, 0.04, -0.02, 0.3],
              "pressure": [1003, -0.1, 0.1, 0.4], "height": [3, 0.02, 0.02, -0.1], "period": [9, 0.03, 0.02, 0.05], "from": [300, 0, 0, 0]},
    "ecmwfaifs": {"u": [8, -0.08, 0.02, -0.3], "v": [1, 0.1, -0.03, 0.2],
                  "pressure": [1020, -0.15, -0.05, 0.3], "height": [1, 0.05, 0.01, 0.2], "period": [7, 0.05, 0.01, -0.1], "from": [200, 0, 0, 0]},
    "ukmo": {"u": [-7, 0.05, -0.1, 0.1], "v": [-6, 0.02, 0.05, 0.4], "gust": [20, -0.1, 0.05, 0.2], "pressure": [998, 0.1, 0.08, 0.2]},
    "arpege": {"u": [5, 0.15, 0.1, -0.2], "v": [9, -0.1, -0.04, 0.1], "gust": [19, 0.08, 0.1, 0.1], "pressure": [1008, 0.05, -0.1, -0.3],
               "warmth": [12, -0.1, 0.05, 0.1], "cloud": [50, 0.1, 0.2, 0.5]},
    "dwdgwam": {"height": [4, -0.02, 0.01, 0.05], "period": [11, -0.03, 0.02, 0.1], "from": [270, 0, 0, 0]},
}
objects = {}


def put(url, content):
    objects[url] = base64.b64encode(content).decode()


def values(model, name, lead, latitudes=LATITUDES, longitudes=LONGITUDES):
    a, b, c, d = oracle[model][name]
    return a + b * latitudes[:, None] + c * longitudes[None, :] + d * lead


def message(centre, codes, surface, lead, field, packing, since=None, statistic=2, base=BASE):
    """One GRIB2 message. since: start of its window, hours. statistic: 1 for a sum, 2 for a maximum."""
    m = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    put = lambda key, value: ec.codes_set(m, key, value)
    put("centre", centre), put("tablesVersion", 27)
    put("dataDate", int(base.strftime("%Y%m%d"))), put("dataTime", base.hour * 100)
    put("Ni", len(LONGITUDES)), put("Nj", len(LATITUDES))
    put("latitudeOfFirstGridPointInDegrees", LATITUDES[0]), put("latitudeOfLastGridPointInDegrees", LATITUDES[-1])
    put("longitudeOfFirstGridPointInDegrees", LONGITUDES[0] + 360)
    put("longitudeOfLastGridPointInDegrees", LONGITUDES[-1] + 360)
    put("iDirectionIncrementInDegrees", 10.0), put("jDirectionIncrementInDegrees", 10.0)
    put("productDefinitionTemplateNumber", 0 if since is None else 8)
    put("discipline", codes[0]), put("parameterCategory", codes[1]), put("parameterNumber", codes[2])
    put("typeOfFirstFixedSurface", surface[0])
    if surface[1] is None:
        ec.codes_set_missing(m, "scaleFactorOfFirstFixedSurface"), ec.codes_set_missing(m, "scaledValueOfFirstFixedSurface")
    else:
        put("scaleFactorOfFirstFixedSurface", 0), put("scaledValueOfFirstFixedSurface", surface[1])
    put("indicatorOfUnitOfTimeRange", 1), put("forecastTime", lead if since is None else since)
    if since is not None:
        until = BASE + datetime.timedelta(hours=lead)
        for part in ["year", "month", "day", "hour", "minute", "second"]:
            put(f"{part}OfEndOfOverallTimeInterval", getattr(until, part))
        put("numberOfTimeRange", 1), put("typeOfStatisticalProcessing", statistic), put("typeOfTimeIncrement", 2)
        put("indicatorOfUnitForTimeRange", 1), put("lengthOfTimeRange", lead - since)
    put("packingType", packing), put("bitsPerValue", 16)
    ec.codes_set_values(m, np.broadcast_to(field, (len(LATITUDES), len(LONGITUDES))).ravel())
    return ec.codes_get_message(m)


TEN, SURFACE, SEA = (103, 10), (1, None), (101, None)


def gfs():
    host = "noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.20261231/18"
    for lead in STEPS:
        of = lambda name: values("gfs", name, lead)
        weather = [("PRMSL", "mean sea level", (0, 3, 1), SEA, of("pressure") * 100), ("GUST", "surface", (0, 2, 22), SURFACE, of("gust")),
                   ("UGRD", "10 m above ground", (0, 2, 2), TEN, of("u")), ("VGRD", "10 m above ground", (0, 2, 3), TEN, of("v"))]
        waves = [("HTSGW", "surface", (10, 0, 3), (1, 1), of("height")), ("PERPW", "surface", (10, 0, 11), (1, 1), of("period")),
                 ("DIRPW", "surface", (10, 0, 10), (1, 1), of("from"))]
        for name, fields in [(f"atmos/gfs.t18z.pgrb2.0p25.f{lead:03}", weather), (f"wave/gridded/gfswave.t18z.global.0p25.f{lead:03}.grib2", waves)]:
            content, index = b"", ""
            for number, (element, level, codes, surface, field) in enumerate(fields, 1):
                window = "anl" if lead == 0 else f"{lead} hour fcst"
                index += f"{number}:{len(content)}:d=2026123118:{element}:{level}:{window}:\n"
                content += message("kwbc", codes, surface, lead, field, "grid_simple")
            put(f"{host}/{name}", content), put(f"{host}/{name}.idx", index.encode())


def of_ecmwf(model, folder, leads, has_gust):
    host = f"ecmwf-forecasts.s3.eu-central-1.amazonaws.com/20261231/18z/{folder}/0p25"
    for lead in leads:
        of = lambda name: values(model, name, lead)
        weather = [("10u", (0, 2, 2), TEN, of("u"), None), ("10v", (0, 2, 3), TEN, of("v"), None), ("msl", (0, 3, 0), SEA, of("pressure") * 100, None)]
        if has_gust and lead > 0:
            weather.append(("10fg", (0, 2, 22), TEN, of("gust"), max(0, lead - 3)))
        waves = [("swh", (10, 0, 3), SURFACE, of("height"), None), ("mwp", (10, 0, 15), SURFACE, of("period"), None), ("mwd", (10, 0, 14), SURFACE, of("from"), None)]
        for stream, fields in [("oper", weather), ("wave", waves)]:
            content, lines = b"", []
            for param, codes, surface, field, since in fields:
                one = message("ecmf", codes, surface, lead, field, "grid_ccsds", since)
                lines.append(json.dumps({"domain": "g", "date": "20261231", "time": "1800", "expver": "0001", "class": "ai" if model == "ecmwfaifs" else "od",
                                         "type": "fc", "stream": stream, "step": str(lead), "levtype": "sfc", "param": param, "_offset": len(content), "_length": len(one)}))
                content += one
            name = f"{host}/{stream}/20261231180000-{lead}h-{stream}-fc"
            put(f"{name}.grib2", content), put(f"{name}.index", "\n".join(lines).encode())


def ukmo():
    """Cell centres; speed, and the direction that the wind comes FROM."""
    latitudes, longitudes = np.arange(15.0, 66, 10), np.arange(-65.0, -4, 10)
    for lead in [0, 6]:
        valid = BASE + datetime.timedelta(hours=lead)
        of = lambda name: values("ukmo", name, lead, latitudes, longitudes)
        u, v = of("u"), of("v")
        for content, variable, units, field, height in [
            ("wind_speed_at_10m", "wind_speed", "m s-1", np.hypot(u, v), 10),
            ("wind_direction_at_10m", "wind_from_direction", "degrees", np.degrees(np.arctan2(-u, -v)) % 360, 10),
            ("wind_gust_at_10m", "wind_speed_of_gust", "m s-1", of("gust"), 10),
            ("pressure_at_mean_sea_level", "air_pressure_at_sea_level", "Pa", of("pressure") * 100, None),
        ]:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "file.nc")
                with netCDF4.Dataset(path, "w") as nc:
                    for name, axis, unit in [("latitude", latitudes, "degrees_north"), ("longitude", longitudes, "degrees_east")]:
                        nc.createDimension(name, len(axis))
                        made = nc.createVariable(name, "f4", (name,))
                        made.standard_name, made.units = name, unit
                        made[:] = axis
                    for name, time in [("time", valid), ("forecast_reference_time", BASE)]:
                        made = nc.createVariable(name, "i8", ())
                        made.standard_name, made.units = name, "seconds since 1970-01-01 00:00:00"
                        made[...] = int((time - datetime.datetime(1970, 1, 1)).total_seconds())
                    if height:
                        made = nc.createVariable("height", "f4", ())
                        made.standard_name, made.units = "height", "m"
                        made[...] = height
                    made = nc.createVariable(variable, "f4", ("latitude", "longitude"), zlib=True)
                    made.standard_name, made.units = variable, units
                    made.coordinates = f"forecast_reference_time {'height ' if height else ''}time"
                    made[:] = field
                with open(path, "rb") as file:
                    put(f"met-office-atmospheric-model-data.s3.eu-west-2.amazonaws.com/global-deterministic-10km/20261231T1800Z/"
                        f"{valid:%Y%m%dT%H00Z}-PT{lead:04d}H00M-{content}.nc", file.read())


def arpege():
    """The first file of the package: hourly to 24 h."""
    content = b""
    for lead in range(25):
        of = lambda name: values("arpege", name, lead)
        content += message("lfpw", (0, 3, 1), SEA, lead, of("pressure") * 100, "grid_ccsds")
        content += message("lfpw", (0, 2, 2), TEN, lead, of("u"), "grid_ccsds")
        content += message("lfpw", (0, 2, 3), TEN, lead, of("v"), "grid_ccsds")
        content += message("lfpw", (0, 0, 0), (103, 2), lead, of("warmth") + 273.15, "grid_ccsds")
        content += message("lfpw", (0, 6, 1), SURFACE, lead, of("cloud"), "grid_ccsds")
        if lead > 0:
            # Two kg m-2 an hour since the base time.
            content += message("lfpw", (0, 1, 52), SURFACE, lead, np.array(2.0 * lead), "grid_ccsds", 0, statistic=1)
            content += message("lfpw", (0, 2, 22), TEN, lead, of("gust"), "grid_ccsds", lead - 1)
    run = "2026-12-31T18:00:00Z"
    put(f"meteofrance-pnt.s3.rbx.io.cloud.ovh.net/pnt/{run}/arpege/025/SP1/arpege__025__SP1__000H024H__{run}.grib2", content)


def gwam():
    """A file for each step and parameter. Mean wave period by energy is TM10; directions are those that waves come FROM."""
    base = BASE - datetime.timedelta(hours=6)
    for lead in range(0, 13, 3):
        for param, number, name in [("swh", 3, "height"), ("tm10", 15, "period"), ("mwd", 14, "from")]:
            field = values("dwdgwam", name, lead)
            one = message("edzw", (10, 0, number), SEA, lead, field, "grid_simple", base=base)
            put(f"opendata.dwd.de/weather/maritime/wave_models/gwam/grib/12/{param}/GWAM_{param.upper()}_2026123112_{lead:03}.grib2.bz2", bz2.compress(one))


gfs()
gwam()
of_ecmwf("ecmwf", "ifs", [0, 6], True)
of_ecmwf("ecmwfaifs", "aifs-single", [0, 6], False)
ukmo()
arpege()
with open(os.path.join(HERE, "objects.json.gz"), "wb") as file:
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
        packed.write(json.dumps(objects, separators=(",", ":")).encode())
with open(os.path.join(HERE, "oracle.json"), "w") as file:
    json.dump(oracle, file, indent=2)
    file.write("\n")
