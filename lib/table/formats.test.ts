import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { fileName, formatNames } from "#lib/contract/media-types.ts";
import { decodeFrame, valueAtNode } from "#lib/field/frame.ts";
import { readSheet } from "#lib/points/read-sheet.ts";
import { parseInstant } from "#lib/time.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { smallMapField as field } from "#test/small-map-field.ts";
import { mapFormats, pointFormats } from "./formats.ts";
import { pointNetcdf } from "./netcdf.ts";
import { type PointEntry, pointsOf, pointTable } from "./table.ts";

const { times } = field;
const origin = {
  provenance: [
    { variable: "wind", dataset: "Forecast", model: 'GFS "0.25"°', run: "gfs.1", wind_height: 80 },
  ],
  synthetic: true,
};

const speedAt = (i: number) => (i % 3 === 2 ? null : (1234 + i) / 100);

const points: PointEntry[] = [
  {
    coordinates: { latitude: 48.5, longitude: -5.2, timestamp: times[0]! },
    conditions: { Winds_10m_Direction: 12.3, Winds_10m_Intensity: null },
  },
  {
    coordinates: { latitude: -0.1, longitude: 180, timestamp: times[1]! },
    conditions: { Winds_10m_Direction: 0, Winds_10m_Intensity: 4.56 },
  },
];

const bytesOf = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]);
const mapAs = (type: keyof typeof mapFormats) => bytesOf(mapFormats[type](field, origin));
const pointsAs = (type: Exclude<keyof typeof pointFormats, typeof formatNames.xlsx>) =>
  bytesOf(pointFormats[type](pointTable(pointsOf(points), origin)));

describe("an answer by model", () => {
  const models = ["gfs", "gfs", "ecmwf"];
  const byModel = models.map((model, at) => ({
    coordinates: { ...points[at % 2]!.coordinates, model },
    conditions: points[at % 2]!.conditions,
  }));
  const table = pointTable(pointsOf(byModel), origin);
  const as = (type: Exclude<keyof typeof pointFormats, typeof formatNames.xlsx>) =>
    bytesOf(pointFormats[type](table));

  it("has a column model in CSV, NDJSON, GeoJSON and Arrow", () => {
    const [header, ...rows] = as("text/csv").toString().trimEnd().split("\r\n");
    expect(header).toContain(",timestamp,model,Winds_10m_Direction");
    expect(rows.map((row) => row.split(",")[3])).toEqual(models);
    const lines = as("application/x-ndjson").toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).model)).toEqual(models);
    const { features } = JSON.parse(as("application/geo+json").toString());
    expect(features.map(({ properties }: { properties: { model: string } }) => properties.model)).toEqual(
      models,
    );
    const arrow = tableFromIPC(as("application/vnd.apache.arrow.stream")).toArray();
    expect(arrow.map((row) => row.toJSON().model)).toEqual(models);
  });

  it("has a coordinate model in NetCDF, whole numbers that stand for its names", () => {
    const bytes = as("application/x-netcdf");
    const file = openNetcdf3({ size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });
    expect([...file.read("model", [0], [3]).values()]).toEqual([0, 0, 1]);
    expect(file.variables.get("model")?.attributes.flag_meanings).toBe("gfs ecmwf");
    expect(file.variables.get("Winds_10m_Intensity")?.attributes.coordinates).toContain(" model");
  });

  it("has a column model in a workbook", async () => {
    const parts: Uint8Array[] = [];
    for await (const part of pointFormats[formatNames.xlsx](table)) parts.push(part);
    const sheet = new TextDecoder().decode(unzipSync(Buffer.concat(parts))["xl/worksheets/sheet1.xml"]);
    expect([...sheet.matchAll(/<t>(gfs|ecmwf)<\/t>/g)].map(([, name]) => name)).toEqual(models);
  });
});

it("application/geo+json is a collection of points with its provenance", () => {
  const { features, ...rest } = JSON.parse(pointsAs("application/geo+json").toString());
  expect(rest).toEqual({
    type: "FeatureCollection",
    notice: "Not for navigation; synthetic: invented by the demo world",
    provenance: 'wind at 80 m: Forecast, GFS "0.25"°, run gfs.1',
    units: { Winds_10m_Direction: "°", Winds_10m_Intensity: "m/s" },
  });
  expect(features).toEqual(
    points.map(({ coordinates: { latitude, longitude, timestamp }, conditions }) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [longitude, latitude] },
      properties: { timestamp, ...conditions },
    })),
  );
});

describe("text/csv", () => {
  it("of points is RFC 4180, with the unit in the header and the notice in the first row", () => {
    expect(pointsAs("text/csv").toString().split("\r\n")).toEqual([
      "latitude [°],longitude [°],timestamp,Winds_10m_Direction [° at 80 m],Winds_10m_Intensity [m/s at 80 m],notice",
      '48.5,-5.2,2026-01-01T00:00:00Z,12.3,,"Not for navigation; synthetic: invented by the demo world. wind at 80 m: Forecast, GFS ""0.25""°, run gfs.1"',
      "-0.1,180,2026-01-01T03:00:00Z,0,4.56,",
      "",
    ]);
  });
});

it("application/x-ndjson is one object per line, the first with notice and provenance", () => {
  const lines = pointsAs("application/x-ndjson")
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ latitude: 48.5, Winds_10m_Intensity: null });
  expect(lines[0].notice).toContain("Not for navigation");
  expect(lines[1]).toEqual({
    ...points[1]!.coordinates,
    ...points[1]!.conditions,
  });
  expect(mapAs("application/x-ndjson").toString().trimEnd().split("\n")).toHaveLength(12);
});

it("an Arrow stream has typed columns with units, nulls, and the notice as metadata", () => {
  const table = tableFromIPC(mapAs("application/vnd.apache.arrow.stream"));
  expect(table.schema.metadata.get("notice")).toContain("Not for navigation");
  expect(table.schema.fields.map(({ name }) => name).slice(0, 3)).toEqual([
    "latitude",
    "longitude",
    "timestamp",
  ]);
  expect(table.schema.fields[4]!.metadata.get("unit")).toBe("m/s");
  expect(table.schema.fields[4]!.metadata.get("height")).toBe("80 m");
  const rows = table.toArray().map((row) => row.toJSON());
  expect(rows.map((row) => row.Winds_10m_Intensity)).toEqual(
    Array.from({ length: 12 }, (_, i) => speedAt(i)),
  );
  expect(Number(rows[6].timestamp)).toBe(parseInstant(times[1]!) * 1000);
});

describe("application/x-netcdf", () => {
  const open = (bytes: Uint8Array) =>
    openNetcdf3({ size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) });

  it("of a box has the axes time, latitude, longitude, ascending, and CF attributes", () => {
    const file = open(mapAs("application/x-netcdf"));
    expect(file.attributes).toMatchObject({
      Conventions: "CF-1.6",
      comment: expect.stringContaining("Not for navigation"),
    });
    expect([...file.read("longitude", [0], [3]).values()]).toEqual([179.75, 180, 180.25]);
    expect([...file.read("time", [0], [2]).values()]).toEqual(times.map(parseInstant));
    const speeds = [...file.read("Winds_10m_Intensity", [0, 0, 0], [2, 2, 3]).values()];
    expect(speeds.map((value) => (Number.isNaN(value) ? null : value))).toEqual(
      speeds.map((_, i) => speedAt(i)),
    );
    expect(file.variables.get("Winds_10m_Direction")?.attributes).toMatchObject({
      units: "degree",
      standard_name: "wind_from_direction",
    });
  });

  it("of series has a station for each place, of a trajectory one identifier, both with rows in their order", () => {
    const table = pointTable(
      pointsOf(
        [0, 0, 1, 1].map((place, at) => ({
          coordinates: { latitude: place, longitude: 10 + place, timestamp: times[at % 2]! },
          conditions: { Gust_10m: at },
        })),
      ),
      origin,
    );
    const series = open(bytesOf(pointNetcdf(table, { places: 2 })));
    expect(series.attributes.featureType).toBe("timeSeries");
    expect(series.variables.get("station")?.attributes.cf_role).toBe("timeseries_id");
    expect([...series.read("time", [0], [2]).values()]).toEqual(times.map(parseInstant));
    expect([...series.read("longitude", [0], [2]).values()]).toEqual([10, 11]);
    expect([...series.read("Gust_10m", [0, 0], [2, 2]).values()]).toEqual([0, 2, 1, 3]);
    const line = open(bytesOf(pointNetcdf(table, "trajectory")));
    expect(line.attributes.featureType).toBe("trajectory");
    expect(line.variables.get("trajectory")?.attributes.cf_role).toBe("trajectory_id");
    expect([...line.read("Gust_10m", [0], [4]).values()]).toEqual([0, 1, 2, 3]);
  });

  const python = "/usr/bin/python3";
  const runs = (program: string, args: string[], required: string) => {
    try {
      execFileSync(program, args, { stdio: "ignore" });
      return true;
    } catch (error) {
      if (process.env[required] === "1") throw error;
      return false;
    }
  };
  const inFolder = (read: (folder: string) => string) => {
    const folder = mkdtempSync(join(tmpdir(), "netcdf-"));
    try {
      writeFileSync(join(folder, "map.nc"), mapAs("application/x-netcdf"));
      writeFileSync(join(folder, "points.nc"), pointsAs("application/x-netcdf"));
      return read(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  const hasGdal = runs("ogrinfo", ["--version"], "REQUIRE_CLIENTS");
  it.runIf(hasGdal)("is a layer of points for GDAL (skipped without gdal-bin)", () => {
    const printed = inFolder((folder) =>
      execFileSync("ogrinfo", ["-ro", "-al", join(folder, "points.nc")], { encoding: "utf8" }),
    );
    expect(printed).toMatch(/Geometry: (3D )?Point/);
    expect(printed).toMatch(/Winds_10m_Intensity \(Real\)/);
    expect(printed).toContain("Feature Count: 2");
  });

  const hasXarray = runs(python, ["-c", "import xarray, netCDF4"], "REQUIRE_CLIENTS");
  it.runIf(hasXarray)("is what xarray reads it as (skipped without python3-xarray)", () => {
    const script = `
import json, sys, xarray as xr
m = xr.open_dataset(sys.argv[1] + "/map.nc"); p = xr.open_dataset(sys.argv[1] + "/points.nc")
print(json.dumps([
  [str(t)[:19] for t in m.time.values], m.longitude.values.tolist(),
  m.Winds_10m_Intensity.fillna(-1).values.ravel().tolist(), p.sizes["point"], list(map(str, sorted(p.Winds_10m_Direction.coords))),
  float(m.Winds_10m_Direction.height), p.height.attrs["standard_name"]
]))`;
    expect(
      JSON.parse(inFolder((folder) => execFileSync(python, ["-c", script, folder], { encoding: "utf8" }))),
    ).toEqual([
      times.map((time) => time.slice(0, 19)),
      [179.75, 180, 180.25],
      Array.from({ length: 12 }, (_, i) => speedAt(i) ?? -1),
      2,
      ["height", "latitude", "longitude", "time"],
      80,
      "height",
    ]);
  });
});

it("the binary form is one frame per step, each after its length", () => {
  const bytes = mapAs("application/vnd.metocean.field+binary");
  const first = bytes.readUInt32LE(0);
  const second = bytes.readUInt32LE(4 + first);
  expect(bytes.length).toBe(8 + first + second);
  const frame = decodeFrame(bytes.subarray(8 + first));
  expect(frame.time).toBe(parseInstant(times[1]!));
  expect(frame.grid.longitude).toEqual({ start: 179.75, step: 0.25, count: 3 });
  expect(valueAtNode(frame, 4, 1)).toBeCloseTo(speedAt(10)!, 10);
  expect(valueAtNode(frame, 2, 1)).toBeNaN();
});

it("names a file by its variables, first time, length and area", () => {
  const named = {
    variables: ["wind", "wave"] as ("wind" | "wave")[],
    from: "2026-11-23T06:00:00Z",
    to: "2026-11-25T06:00:00Z",
  };
  expect(fileName({ ...named, area: { type: "box", latitude: [40, 60], longitude: [-30, -0.2] } })).toBe(
    "open-metocean_wind-wave_20261123T06Z_48h_N40N60W030E000.grb2",
  );
  expect(fileName({ ...named, area: { type: "route" }, format: "netcdf", wind_height: 80 })).toBe(
    "open-metocean_wind80m-wave_20261123T06Z_48h_passage.nc",
  );
});

it("XLSX has the rows of CSV, times as dates and missing values empty, and says where they come from", async () => {
  const parts: Uint8Array[] = [];
  for await (const part of pointFormats[formatNames.xlsx](pointTable(pointsOf(points), origin)))
    parts.push(part);
  const workbook = Buffer.concat(parts);
  const files = Object.values(unzipSync(workbook)).map((bytes) => Buffer.from(bytes).toString());
  expect(files).toHaveLength(7);
  expect(files.at(-1)).toContain("synthetic: invented by the demo world");
  expect(readSheet(workbook).map((row) => row.cells)).toEqual([
    [
      "latitude [°]",
      "longitude [°]",
      "timestamp [UTC]",
      "Winds_10m_Direction [° at 80 m]",
      "Winds_10m_Intensity [m/s at 80 m]",
    ],
    ["48.5", "-5.2", times[0]!.slice(0, 19), "12.3", ""],
    ["-0.1", "180", times[1]!.slice(0, 19), "0", "4.56"],
  ]);
});
