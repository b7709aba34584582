import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { bufferSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { beforeEach, describe, expect, it } from "vitest";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { fileEstimate, fileRequest } from "#lib/contract/files.ts";
import { readSheet } from "#lib/points/read-sheet.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { temporaryFolders } from "#test/databases.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { hasEccodes } from "#test/eccodes.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const HOUR = 3600;
const demo = demoArchive(now);

const folder = temporaryFolders();

const storm = {
  id: "WP092026",
  tracks: {
    observed: [{ lat: 20, lon: 178, time: now }],
    forecast: {
      points: [
        { lat: 22, lon: 179 },
        { lat: 24, lon: -179 },
      ],
    },
  },
};

beforeEach(() => {
  connectWeather(now, { archive: demo, storms: { published: async () => ({ entries: [storm] }) } });
});

const written = variableNames.filter((name) => typeof variable(name).grib2 !== "string");
const body = {
  area: { type: "box", latitude: [30, 32], longitude: [-43, -41] },
  variables: ["wind", "wave", "pressure"] as string[],
  from: formatInstant(now),
  to: formatInstant(now + 6 * HOUR),
};

async function send(
  part: object = {},
  headers: Record<string, string> = {},
): Promise<{ reply: Reply; bytes: Buffer }> {
  const reply = await ask("POST", "/files", { body: { ...body, ...part }, headers });
  const { body: sent } = reply;
  const bytes =
    typeof sent === "string" || sent instanceof Uint8Array ? Buffer.from(sent) : await buffer(sent!);
  return { reply, bytes };
}

const fieldsOf = (bytes: Buffer) => {
  const source = bufferSource("file", bytes);
  const { fields, rejected } = scanGrib2(source);
  expect(rejected).toEqual([]);
  return fields.map((field) => ({ ...field, values: decodeGrib2(source, field) }));
};

it("an estimate of the demo world says so", async () => {
  expect((await send({ estimate: true })).reply.headers["x-data-provenance"]).toBe("synthetic");
});

const estimateOf = async (part: object) =>
  fileEstimate.parse(JSON.parse((await send({ ...part, estimate: true })).bytes.toString())).estimate;

async function pointsAt(
  places: { latitude: number; longitude: number; timestamp: string }[],
  variables: string[],
) {
  const reply = await ask("POST", "/MetOcean", { body: { points: places, variables } });
  return JSON.parse(await textOf(reply)).result.results.map((one: { conditions: object }) => one.conditions);
}

describe("POST /files", () => {
  it("answers with GRIB2 whose numbers are those of POST /MetOcean at the nodes, in WMO's units", async () => {
    const { reply, bytes } = await send({ variables: written, step_hours: 3 });
    expect(reply.headers).toMatchObject({
      "content-type": "application/x-grib2",
      "content-disposition": expect.stringMatching(
        /^attachment; filename="open-metocean_\d+variables_20260915T12Z_6h_N30N32W043W041\.grb2"$/,
      ),
      "x-data-provenance": "synthetic",
    });
    const fields = fieldsOf(bytes);
    const rows = written.flatMap((name) => [...variable(name).grib2]);
    expect(fields).toHaveLength(3 * rows.length);
    const at = (discipline: number, category: number, parameter: number) =>
      fields.find(
        (one) => one.discipline === discipline && one.category === category && one.parameter === parameter,
      )!;
    const { grid } = fields[0]!;
    const [rowCount, columnCount] = [grid.latitude.count, grid.longitude.count];
    const places = Array.from({ length: rowCount * columnCount }, (_, i) => ({
      latitude: 30 + Math.floor(i / columnCount) * grid.latitude.step,
      longitude: -43 + (i % columnCount) * grid.longitude.step,
      timestamp: formatInstant(now),
    }));
    const points = await pointsAt(places, written);
    for (const [i, point] of points.entries()) {
      const [u, v] = [at(0, 2, 2).values[i]!, at(0, 2, 3).values[i]!];
      expect(Math.hypot(u, v)).toBeCloseTo(point.Winds_10m_Intensity, 1);
      expect(((Math.atan2(-u, -v) * 180) / Math.PI + 360) % 360).toBeCloseTo(point.Winds_10m_Direction, 0);
      const [east, north] = [at(10, 1, 2).values[i]!, at(10, 1, 3).values[i]!];
      expect(Math.abs(Math.hypot(east, north) - point.Currents_Intensity)).toBeLessThan(0.0058);
      expect(at(0, 3, 1).values[i]! / 100).toBeCloseTo(point.Pressure, 3);
      expect(at(0, 0, 0).values[i]! - 273.15).toBeCloseTo(point.Temperature_2m, 3);
      expect(at(0, 1, 7).values[i]! * 3600).toBeCloseTo(point.Precipitation, 2);
      expect(at(10, 0, 3).values[i]!).toBeCloseTo(point.Waves_Significant_Height, 4);
      expect(at(10, 0, 14).values[i]!).toBeCloseTo(point.Waves_Mean_Direction, 3);
      expect(at(10, 0, 7).values[i]!).toBeCloseTo(point.Swell_Mean_Direction, 3);
      expect(at(10, 0, 6).values[i]!).toBeCloseTo(point.Windwaves_Mean_Period, 3);
    }
    // The values have the stored precision, which is finer than that of answers.
    const thousandths = at(10, 1, 2).values.map((value) => value * 1000);
    for (const value of thousandths) expect(value).toBeCloseTo(Math.round(value), 3);
    expect(thousandths.some((value) => Math.round(value) % 10 !== 0)).toBe(true);
    // The message has the base time of the forecast and its hours.
    expect(at(0, 2, 2).referenceTime).toBeLessThanOrEqual(now);
    expect(new Set(fields.map(({ time }) => time.start))).toEqual(
      new Set([now, now + 3 * HOUR, now + 6 * HOUR]),
    );
  });

  it.each([
    [
      "a box across the antimeridian",
      { area: { type: "box", latitude: [-5, 5], longitude: [175, -175] }, stride: 2 },
    ],
    ["a pole", { area: { type: "box", latitude: [89, 90], longitude: [-180, 180] }, stride: 4 }],
    ["a single point", { area: { type: "box", latitude: [30, 30], longitude: [-43, -43] } }],
    ["land and sea", { area: { type: "box", latitude: [46, 50], longitude: [-6, 2] } }],
    ["the wind at another height", { variables: ["wind"], wind_height: 50 }],
    ["around a storm", { area: { type: "storm", provider: "jtwc", id: storm.id, radius_nm: 120 } }],
  ] as [string, object][])("the estimate and the size of both packings belong to %s", async (_, part) => {
    const variables = ["wind", "wave", "pressure", "current"];
    const whole = { variables, ...part };
    const simple = await send(whole);
    const complex = await send({ ...whole, packing: "complex" });
    expect(complex.reply.headers["content-type"]).toBe("application/x-grib2-complex");
    const [first, second] = [fieldsOf(simple.bytes), fieldsOf(complex.bytes)];
    expect(second.map(({ values }) => values)).toEqual(first.map(({ values }) => values));
    const estimate = await estimateOf(whole);
    expect(first[0]!.values.length).toBe(estimate.rows * estimate.columns);
    expect(simple.bytes.length / estimate.bytes).toBeGreaterThan(0.2);
    expect(simple.bytes.length / estimate.bytes).toBeLessThan(1.5);
  });

  it.each([
    [{ area: { type: "circle" } }],
    [{ area: { type: "box", latitude: [2, 1], longitude: [0, 1] } }],
    [{ area: { type: "route", waypoints: Array(501).fill({ latitude: 0, longitude: 0 }) } }],
    [{ area: { type: "storm", provider: "jtwc", id: "XX" } }],
    [{ variables: [] }],
    [{ variables: ["bathy"] }],
    [{ to: formatInstant(now - HOUR) }],
    [{ from: formatInstant(now - 32 * 24 * HOUR) }],
    [{ to: formatInstant(now + 11 * 24 * HOUR) }],
    [{ step_hours: 5 }],
    [{ format: "grib1" }],
    [{ area: { type: "box", latitude: [-90, 90], longitude: [-180, 180] } }],
    [
      {
        area: { type: "box", latitude: [-90, 90], longitude: [-180, 180] },
        variables: written,
        to: formatInstant(now + 96 * HOUR),
        async: true,
      },
    ],
  ] as [object][])("refuses %j: 422", async (part) => {
    const { reply, bytes } = await send(part);
    expect(reply.status, bytes.toString("latin1").slice(0, 200)).toBe(422);
  });

  it("estimates what is too large too", async () => {
    const globe = { type: "box", latitude: [-90, 90], longitude: [-180, 180] };
    const estimate = await estimateOf({ area: globe });
    expect(estimate).toMatchObject({ at_once: false, as_task: true, fields: 6, resolution: [0.25, 0.25] });
    expect(await estimateOf({ area: globe, stride: 4 })).toMatchObject({ at_once: true, resolution: [1, 1] });
  });
});

it("POST /2DMetOcean has the same by Accept and by ?f=, and names what it does not know", async () => {
  const map = {
    bounding_boxes: [{ latitude: [30, 31], longitude: [-43, -42], timestamp: body.from }],
    variable: "wind",
  };
  const accepted = await ask("POST", "/2DMetOcean", {
    body: map,
    headers: { accept: "application/x-grib2" },
  });
  const asked = await ask("POST", "/2DMetOcean?f=grib2", { body: map });
  const bytes = await Promise.all(
    [accepted, asked].map(({ body }) => buffer(body as AsyncIterable<Uint8Array>)),
  );
  expect(asked.headers["content-type"]).toBe("application/x-grib2");
  expect(bytes[0]!.equals(bytes[1]!)).toBe(true);
  const [u, v] = fieldsOf(bytes[0]!);
  const [point] = await pointsAt([{ latitude: 30, longitude: -43, timestamp: body.from }], ["wind"]);
  expect(Math.hypot(u!.values[0]!, v!.values[0]!)).toBeCloseTo(point.Winds_10m_Intensity, 1);
  expect((await ask("POST", "/2DMetOcean?f=tiff", { body: map })).status).toBe(422);
  expect(fileRequest.safeParse(body).success).toBe(true);
});

describe("a file by model", () => {
  const models = ["demo-late", "best", "demo-early"];
  const from = formatInstant(now + 96 * HOUR);
  const later = { from, to: formatInstant(now + 99 * HOUR), step_hours: 3, variables: ["wind", "pressure"] };
  const netcdfOf = (bytes: Buffer) => {
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    return openNetcdf3({ size: bytes.length, read });
  };

  it("is NetCDF with a coordinate of their names, and has each value from its own model", async () => {
    const { bytes } = await send({ ...later, models, format: "netcdf" });
    const file = netcdfOf(bytes);
    const pressure = file.variables.get("Pressure")!;
    expect(pressure.dimensions.map(({ name }) => name)).toEqual(["time", "model", "latitude", "longitude"]);
    const names = String.fromCharCode(...file.read("model", [0, 0], [3, 12]));
    expect(names.match(/[^\0]+/g)).toEqual(models);
    expect(pressure.attributes.coordinates).toBe("model");
    const [rows, columns] = [9, 9];
    const all = [...file.read("Pressure", [0, 0, 0, 0], [2, 3, rows, columns]).values()];
    for (const [at, model] of models.entries()) {
      const alone = netcdfOf((await send({ ...later, models: [model], format: "netcdf" })).bytes);
      const own = [...alone.read("Pressure", [0, 0, 0], [2, rows, columns]).values()];
      const nodes = rows * columns;
      const found = [0, 1].flatMap((time) => all.slice((3 * time + at) * nodes, (3 * time + at + 1) * nodes));
      expect([model, found]).toEqual([model, own]);
    }
    expect(new Set(all).size).toBeGreaterThan(20);
  });

  it("of one model has its name beside the values, and the axes of any other", async () => {
    const file = netcdfOf((await send({ ...later, models: ["demo-late"], format: "netcdf" })).bytes);
    const { dimensions, attributes } = file.variables.get("Pressure")!;
    expect(dimensions.map(({ name }) => name)).toEqual(["time", "latitude", "longitude"]);
    expect(attributes.coordinates).toBe("model");
    expect(String.fromCharCode(...file.read("model", [0], [12]))).toBe("demo-late\0\0\0");
  });

  it.runIf(hasEccodes())("is read by cdo, which has the models as levels", async () => {
    const { bytes } = await send({ ...later, models, format: "netcdf" });
    const file = path.join(folder(), "models.nc");
    writeFileSync(file, bytes);
    const means = (...args: string[]) =>
      execFileSync("cdo", ["-s", "-w", "outputf,%.6f,1", "-fldmean", ...args, file], {
        stdio: ["ignore", "pipe", "ignore"],
      })
        .toString()
        .trim()
        .split(/\s+/)
        .map(Number);
    const read = netcdfOf(bytes).read("Winds_10m_Intensity", [0, 0, 0, 0], [2, 3, 9, 9]);
    const values = [...read.values()];
    const meanOf = (at: number) => {
      // cdo weighs each node by the area of its cell.
      const weights = Array.from({ length: 81 }, (_, node) =>
        Math.cos(((30 + Math.floor(node / 9) / 4) * Math.PI) / 180),
      );
      const sum = weights.reduce((total, weight, node) => total + weight * values[81 * at + node]!, 0);
      return sum / weights.reduce((total, weight) => total + weight, 0);
    };
    const found = means("-selname,Winds_10m_Intensity");
    expect(found).toHaveLength(6);
    for (const [at, mean] of found.entries()) expect(mean).toBeCloseTo(meanOf(at), 3);
  });

  it("counts models in its size, and is refused in GRIB2", async () => {
    const one = await estimateOf({ ...later, format: "netcdf" });
    const three = await estimateOf({ ...later, format: "netcdf", models });
    expect([three.values, three.fields, three.models]).toEqual([3 * one.values, one.fields, 3]);
    expect("models" in one).toBe(false);
    const grib = await send({ ...later, models });
    const { detail } = JSON.parse(grib.bytes.toString());
    expect([grib.reply.status, detail[0].loc]).toEqual([422, ["body", "models"]]);
    expect((await send({ ...later, models: ["demo-late", "demo-late"] })).reply.status).toBe(200);
  });

  it("at points has a series for each model and place", async () => {
    const points = [
      { latitude: 46, longitude: -6.5 },
      { latitude: 30, longitude: -42 },
    ];
    const asked = { ...later, models, area: { type: "points", points } };
    const file = netcdfOf((await send({ ...asked, format: "netcdf" })).bytes);
    expect([...file.read("model", [0], [6]).values()]).toEqual([0, 0, 1, 1, 2, 2]);
    expect([...file.read("longitude", [0], [6]).values()]).toEqual([-6.5, -42, -6.5, -42, -6.5, -42]);
    const { result } = JSON.parse((await send({ ...asked, format: "json" })).bytes.toString());
    const series = [...file.read("Pressure", [0, 0], [2, 6]).values()];
    expect(
      [0, 1]
        .flatMap((time) => [0, 1, 2, 3, 4, 5].map((station) => 2 * station + time))
        .map((row) => result.results[row].conditions.Pressure),
    ).toEqual(series);
    const many = { ...asked, format: "csv", from: formatInstant(now - 80 * 24 * HOUR), step_hours: 1 };
    expect((await send({ ...many, models: ["best"] })).reply.status).toBe(200);
    expect(JSON.parse((await send(many)).bytes.toString()).detail[0].msg).toContain(
      "(points × times × models)",
    );
  });
});

describe("a file at points", () => {
  const places = [
    { latitude: 46, longitude: -6.5 },
    { latitude: 48.5, longitude: -5.2 },
  ];
  const series = { area: { type: "points", points: places }, step_hours: 3, variables: ["wind", "wave"] };

  it("has the numbers of POST /MetOcean, place by place, at whole steps, in each format", async () => {
    const asJson = await send({ ...series, format: "json" });
    const points = places.flatMap((place) =>
      [0, 3, 6].map((hour) => ({ ...place, timestamp: formatInstant(now + hour * HOUR) })),
    );
    const same = await ask("POST", "/MetOcean", { body: { points, variables: series.variables } });
    expect(JSON.parse(asJson.bytes.toString()).result.results).toEqual(
      JSON.parse(await textOf(same)).result.results,
    );
    const csv = await send({ ...series, format: "csv" });
    expect(csv.bytes.toString().trimEnd().split("\r\n")).toHaveLength(7);
    expect(csv.reply.headers["content-disposition"]).toContain("wind-wave_20260915T12Z_6h_2points.csv");
    const rows = await readSheet((await send({ ...series, format: "xlsx" })).bytes);
    expect(rows.slice(1).map(({ cells }) => cells[0])).toEqual(
      points.map(({ latitude }) => String(latitude)),
    );
    const { bytes } = await send({ ...series, format: "netcdf" });
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    const netcdf = openNetcdf3({ size: bytes.length, read });
    expect(netcdf.attributes.featureType).toBe("timeSeries");
  });

  it("has the two ends where no whole step lies between them", async () => {
    const times = [1, 2].map((hour) => formatInstant(now + hour * HOUR));
    const { bytes } = await send({ ...series, format: "json", from: times[0], to: times[1] });
    const { results } = JSON.parse(bytes.toString()).result;
    const found = results.map(
      ({ coordinates }: { coordinates: { timestamp: string } }) => coordinates.timestamp,
    );
    expect(found).toEqual([...times, ...times]);
  });

  it("is told its size, and refused where it is too large, a task, or GRIB2", async () => {
    const estimate = await send({ ...series, format: "csv", estimate: true });
    expect(fileEstimate.parse(JSON.parse(estimate.bytes.toString())).estimate).toMatchObject({
      steps: 3,
      rows: 2,
      values: 30,
    });
    expect(estimate.reply.headers["x-data-provenance"]).toBe("synthetic");
    for (const [part, where] of [
      [{ format: "csv", from: formatInstant(now - 1000 * 24 * HOUR), step_hours: 1 }, "to"],
      [{ format: "csv", async: true }, "async"],
      [{ format: "grib2" }, "format"],
    ] as const) {
      const { reply, bytes } = await send({ ...series, ...part });
      expect([reply.status, JSON.parse(bytes.toString()).detail[0].loc]).toEqual([422, ["body", where]]);
    }
    const { reply } = await send({ format: "xlsx" });
    expect(reply.status).toBe(422);
  });
});
