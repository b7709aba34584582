import { describe, expect, it } from "vitest";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { pointMeta, pointRequest } from "#lib/contract/point.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { sampleBand } from "#lib/field/interpolate.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { frameAt, frameCache } from "./frames.ts";
import { answerPoints } from "./points.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const DAY = 86_400;
const archive = demoArchive(now);

type Place = readonly [latitude: number, longitude: number, time: number];

async function ask(
  places: readonly Place[],
  variables: readonly VariableName[] = variableNames,
  { at = now, from = archive, ...body }: { at?: number; from?: typeof archive; [rule: string]: unknown } = {},
) {
  const points = places.map(([latitude, longitude, time]) => ({
    latitude,
    longitude,
    timestamp: formatInstant(time),
  }));
  const request = pointRequest(10_000).parse({ points, variables, ...body });
  return answerPoints(from, request, at, new AbortController().signal);
}

const archiveOnly = variableNames.filter((name) => variable(name).archiveOnly);
const keysOf = (names: readonly VariableName[]) =>
  names.flatMap((name) => variable(name).outputs.map(({ point }) => point));

describe("a fresh archive", () => {
  it.each([
    "2026-09-15T12:00:00Z",
    "2026-09-15T15:29:59Z",
    "2026-09-15T15:30:00Z",
    "2026-09-17T03:30:00Z",
    "2028-02-29T00:00:00Z",
    "1999-07-04T05:06:07Z",
    "2100-03-01T21:29:59Z",
  ])("has every variable in mid-ocean at %s, as far back and ahead as a request may reach", async (text) => {
    const at = parseInstant(text);
    const days = [0, -4, -5, -45, -90, -100, -120, -400, -1000, 10];
    const { results, synthetic } = await ask(
      days.map((day) => [31.3, -42.7, at + day * DAY]),
      variableNames,
      { at, from: demoArchive(at) },
    );
    expect(synthetic).toBe(true);
    const hindcast = new Set(keysOf(archiveOnly));
    for (const [index, { conditions }] of results.entries()) {
      const nulls = Object.keys(conditions).filter((key) => conditions[key] === null);
      expect(nulls, `${days[index]} days`).toEqual(days[index]! < -180 ? [...hindcast] : []);
    }
  });
});

it("points are the same alone and among five thousand, in their order", async () => {
  const places = Array.from(
    { length: 5000 },
    (_, i): Place => [20 + i / 1000, -40 + i / 700, now + Math.floor((i * 3 * DAY) / 5000)],
  );
  const names = ["wind", "wave", "pressure", "bathy"] as const;
  const { results } = await ask(places, names, { include_meta: true });
  expect(results.map(({ coordinates }) => coordinates.timestamp)).toEqual(
    places.map(([, , time]) => formatInstant(time)),
  );
  for (const at of [0, 2047, 2048, 2049, 4095, 4096, 4999]) {
    expect((await ask([places[at]!], names)).results[0], `point ${at}`).toEqual(results[at]);
  }
});

it("the meta of five thousand points counts each once, wherever they were sliced", async () => {
  // Every fifth on land, every seventh older than the forecast archive.
  const places = Array.from({ length: 5000 }, (_, i): Place => {
    const [latitude, longitude] = i % 5 === 0 ? [47, 10] : [31, -42];
    return [latitude!, longitude!, i % 7 === 0 ? now - 400 * DAY : now + i];
  });
  const { meta } = await ask(places, ["wind", "wave", "temp", "bathy"], { include_meta: true });
  expect(pointMeta.parse(meta)).toEqual(meta);
  for (const name of ["wind", "wave", "temp", "bathy"] as const) {
    const of = meta!.provenance.filter((one) => one.variable === name);
    expect(new Set(of.map(({ run }) => run)).size).toBe(of.length);
    const answered = of.reduce((sum, { points }) => sum + points, 0);
    expect(answered).toBe(name === "temp" ? places.length - Math.ceil(5000 / 7) : places.length);
    for (const { valid_times } of of) expect(valid_times).toEqual([...new Set(valid_times)].sort());
  }
  const fifth = [...places.keys()].filter((i) => i % 5 === 0);
  const seventh = [...places.keys()].filter((i) => i % 7 === 0);
  expect(meta!.nulls).toEqual(
    expect.arrayContaining([
      { variable: "wave", reason: "land", points: fifth },
      { variable: "bathy", reason: "land", points: fifth },
      { variable: "temp", reason: "out_of_archive", points: seventh },
    ]),
  );
  expect(meta!.nulls).toHaveLength(3);
});

it("one request is answered from several datasets, each named with its run and model", async () => {
  const { meta } = await ask(
    [0, -5, -6, -90, -91].map((day) => [31, -42, now + day * DAY]),
    ["gust", "rain", "bathy"],
    { include_meta: true },
  );
  const count = (name: VariableName, dataset: string) =>
    meta!.provenance
      .filter((one) => one.variable === name && one.dataset === dataset)
      .reduce((sum, { points }) => sum + points, 0);
  expect(["Forecast", "Hindcast-3M", "Hindcast-3Y"].map((dataset) => count("gust", dataset))).toEqual([
    2, 2, 1,
  ]);
  expect(count("rain", "Forecast")).toBe(5);
  expect(count("bathy", "Static")).toBe(5);
  const known = new Set(demoManifest(now).runs.map(({ id }) => id));
  for (const { run, model, source } of meta!.provenance) {
    expect(known.has(run)).toBe(true);
    expect([model, source]).toEqual([expect.stringContaining("DEMO-WORLD"), "demo-world"]);
  }
});

it("the wind at a height comes from the demo's own levels", async () => {
  const speeds: number[] = [];
  for (const [height, method] of [
    [10, "10m"],
    [37, "levels"],
    [80, "levels"],
    [100, "levels"],
  ] as const) {
    const { results, meta } = await ask([[31, -42, now]], ["wind", "gust"], {
      wind_height: height,
      include_meta: true,
    });
    expect(meta!.provenance[0]!.wind_method).toBe(method);
    speeds.push(results[0]!.conditions.Winds_10m_Intensity!);
    expect(results[0]!.conditions.Gust_10m).toBeGreaterThan(speeds[0]!);
  }
  expect(speeds).toEqual([...speeds].sort((a, b) => a - b));
  expect(speeds[3]).toBeGreaterThan(speeds[0]!);
});

it("values between two steps are linear in time", async () => {
  const { results } = await ask(
    [0, 900, 1800, 2700, 3600].map((second) => [31, -42, now + second]),
    ["pressure", "temp"],
  );
  for (const key of ["Pressure", "Temperature_2m"]) {
    const of = results.map(({ conditions }) => conditions[key]!);
    for (const [i, value] of of.entries()) {
      expect(Math.abs(value - (of[0]! + ((of[4]! - of[0]!) * i) / 4))).toBeLessThanOrEqual(0.11);
    }
  }
});

it("the sea is null on land and the air is not, and depth is positive", async () => {
  const { results } = await ask([
    [47, 10, now],
    [31, -42, now],
  ]);
  const nulls = Object.entries(results[0]!.conditions).filter(([, value]) => value === null);
  expect(nulls.map(([key]) => key).sort()).toEqual(
    keysOf(["current", "wave", "extra_wave", "bathy", "sst"]).sort(),
  );
  expect(results[1]!.conditions.Bathymetry).toBeGreaterThan(1000);
});

it("the map frame of the depth has the numbers of point answers, at any time", async () => {
  const run = demoManifest(now).runs.find(({ dataset }) => dataset === "Static")!;
  const address = {
    dataset: "Static",
    run: run.id,
    variable: "bathy",
    time: "1970-01-01T00:00:00Z",
    level: "1",
    chunk: "1.3",
  };
  const signal = new AbortController().signal;
  const packed = await frameAt(
    { ...archive, storedFrame: async () => undefined },
    frameCache(1e7),
    address,
    undefined,
    signal,
  );
  const frame = decodeFrame(packed!.bytes);
  expect(frame.bands).toEqual([{ name: "sea_floor_depth_below_sea_surface", scale: 0.5, offset: 0 }]);
  const { latitude: rows, longitude: columns } = frame.grid;
  const places = Array.from(
    { length: 300 },
    (_, index): Place => [
      rows.start + ((index * 0.618034) % 1) * (rows.count - 1) * rows.step,
      columns.start + ((index * 0.754878) % 1) * (columns.count - 1) * columns.step,
      now - (index % 9) * 100 * DAY,
    ],
  );
  const { results } = await ask(places, ["bathy"]);
  const pair = { before: frame, after: frame, later: 0 };
  for (const [index, { conditions }] of results.entries()) {
    const [latitude, longitude] = places[index]!;
    const depth = sampleBand(pair, 0, latitude, longitude);
    expect(Number.isNaN(depth) ? null : Math.round(depth), `${latitude}, ${longitude}`).toBe(
      conditions.Bathymetry,
    );
  }
  expect(results.filter(({ conditions }) => conditions.Bathymetry! > 1000).length).toBeGreaterThan(100);
});

it("every number is rounded to its decimals, and every direction lies in [0, 360)", async () => {
  const places = Array.from(
    { length: 300 },
    (_, i): Place => [-70 + (i % 50) * 2.8, -179 + i * 1.19, now + i],
  );
  const { results } = await ask(places);
  for (const output of variableNames.flatMap((name) => [...variable(name).outputs])) {
    for (const { conditions } of results) {
      const value = conditions[output.point];
      if (value === null || value === undefined) continue;
      expect(Object.is(value, -0)).toBe(false);
      expect(value).toBe(Number(value.toFixed(output.decimals)));
      if (output.unit === "°") expect(value >= 0 && value < 360, `${output.point} ${value}`).toBe(true);
    }
  }
});

it("±180 is one meridian, and coordinates are echoed unchanged", async () => {
  const { results } = await ask([
    [-17.25, 180, now],
    [-17.25, -180, now],
  ]);
  expect(results[0]!.conditions).toEqual(results[1]!.conditions);
  expect(results.map(({ coordinates }) => coordinates.longitude)).toEqual([180, -180]);
});

it("the first real run replaces the demo: what it lacks is null, and nothing is called synthetic", async () => {
  const [run] = demoManifest(now).runs;
  const real = {
    version: 1 as const,
    runs: [{ ...run!, id: "etopo", source: "etopo", provenance: undefined }],
  };
  const from = { ...demoArchive(now, real), valuesAt: async () => undefined };
  const { results, synthetic } = await ask([[31, -42, now]], variableNames, { from });
  expect(synthetic).toBe(false);
  expect(new Set(Object.values(results[0]!.conditions))).toEqual(new Set([null]));
});
