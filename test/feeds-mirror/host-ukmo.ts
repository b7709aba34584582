import type { AnalyticField } from "./analytic.ts";
import type { FileGrid } from "./grib-message.ts";
import { type NetcdfContent, netcdfPieces } from "./netcdf-object.ts";
import type { Planet } from "./planet.ts";
import { type Host, timeOf, type Variant } from "./published.ts";
import { axes, seaValues } from "./sea-files.ts";

const HOUR_S = 3600;
const NAME =
  /^\/global-deterministic-10km\/(\d{8})T(\d\d)00Z\/(\d{8})T(\d\d)00Z-PT(\d{4})H00M-([a-z_0-9]+)\.nc$/;
/** Publication of the first and the last file of a cycle, seconds after its base time. */
const APPEARS = { first: 4.8 * HOUR_S, last: 6.2 * HOUR_S };

interface Content {
  variable: string;
  units: string;
  /** Height of a scalar coordinate, m. */
  height?: number;
  /** Values of a file, as a function of those of fields of the catalog. */
  of: readonly AnalyticField[];
  value(...values: readonly number[]): number;
}

const wind = ["eastward_wind_10m", "northward_wind_10m"] as const;

/** Files by the names of their content. */
const contents: Readonly<Record<string, Content>> = {
  wind_speed_at_10m: { variable: "wind_speed", units: "m s-1", height: 10, of: wind, value: Math.hypot },
  wind_direction_at_10m: {
    variable: "wind_from_direction",
    units: "degrees",
    height: 10,
    of: wind,
    value: (east, north) => ((Math.atan2(-east!, -north!) * 180) / Math.PI + 360) % 360,
  },
  wind_gust_at_10m: {
    variable: "wind_speed_of_gust",
    units: "m s-1",
    height: 10,
    of: ["wind_speed_of_gust"],
    value: (gust) => gust!,
  },
  pressure_at_mean_sea_level: {
    variable: "air_pressure_at_sea_level",
    units: "Pa",
    of: ["air_pressure_at_mean_sea_level"],
    value: (hPa) => hPa! * 100,
  },
  temperature_at_screen_level: {
    variable: "air_temperature",
    units: "K",
    height: 1.5,
    of: ["air_temperature"],
    value: (celsius) => celsius! + 273.15,
  },
  cloud_amount_of_total_cloud: {
    variable: "cloud_area_fraction",
    units: "1",
    of: ["cloud_area_fraction"],
    value: (percent) => percent! / 100,
  },
  precipitation_rate: {
    variable: "lwe_precipitation_rate",
    units: "m s-1",
    of: ["precipitation_flux"],
    value: (rate) => rate! / 3_600_000,
  },
};

/** The Met Office's bucket: a NetCDF file for each step and variable of the global model. */
export const ukmoHost: Host = ({ path }, planet) => {
  const [, day, hour, validDay, validHour, digits, name] = NAME.exec(path) ?? [];
  const content = name === undefined ? undefined : contents[name];
  if (!content) return undefined;
  const cycle = timeOf(day!, hour);
  const lead = Number(digits);
  const last = cycle % (12 * HOUR_S) === 0 ? 168 : 66;
  const step = lead <= 54 ? 1 : lead <= 144 ? 3 : 6;
  if (cycle % (6 * HOUR_S) !== 0 || lead > last || lead % step !== 0) return undefined;
  if (timeOf(validDay!, validHour) !== cycle + lead * HOUR_S) return undefined;
  return {
    from: cycle + APPEARS.first + ((APPEARS.last - APPEARS.first) * lead) / last,
    contentType: "application/x-netcdf",
    pieces: (variant) => netcdfPieces(fileOf(content, cycle, lead, planet, variant), variant),
  };
};

function fileOf(
  { variable, units, height, of, value }: Content,
  cycle: number,
  lead: number,
  { resolution }: Planet,
  variant: Variant,
): NetcdfContent {
  const [rowStep, columnStep] = resolution === 0.25 ? [0.093_75, 0.140_625] : [resolution, resolution];
  const grid: FileGrid = {
    rows: Math.round(180 / rowStep),
    columns: Math.round(360 / columnStep),
    latitude: -90 + rowStep / 2,
    latitudeStep: rowStep,
    longitude: -180 + columnStep / 2,
    longitudeStep: columnStep,
  };
  const time = cycle + lead * HOUR_S;
  const scalar = (name: string, standard: string, unit: string, number: number) => ({
    name,
    type: "double" as const,
    dimensions: [],
    attributes: { units: unit, standard_name: standard },
    values: () => Float64Array.of(number),
  });
  const earlier = variant.hoursEarlier * HOUR_S;
  const coordinates = `forecast_period forecast_reference_time ${height === undefined ? "" : "height "}time`;
  return {
    key: `ukmo:${variable}:${cycle}:${lead}:${grid.columns}`,
    dimensions: { latitude: grid.rows, longitude: grid.columns },
    attributes: { source: "Met Office Unified Model" },
    variables: [
      scalar("time", "time", "seconds since 1970-01-01 00:00:00", time - earlier),
      scalar(
        "forecast_reference_time",
        "forecast_reference_time",
        "seconds since 1970-01-01 00:00:00",
        cycle - earlier,
      ),
      scalar("forecast_period", "forecast_period", "seconds", lead * HOUR_S),
      ...(height === undefined ? [] : [scalar("height", "height", "m", height)]),
      ...axes(grid, "latitude", "longitude"),
      {
        name: variable,
        type: "float",
        dimensions: ["latitude", "longitude"],
        attributes: { units, standard_name: variable, coordinates },
        values: () => {
          const fields = of.map((field) => seaValues(field, grid, time, variant));
          return fields[0]!.map((_, node) => value(...fields.map((values) => values[node]!)));
        },
      },
    ],
  };
}
