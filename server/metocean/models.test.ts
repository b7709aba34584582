import { expect, it } from "vitest";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { type PointRequest, pointRequest } from "#lib/contract/point.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { demoManifest, weatherTime } from "#server/demo/runs.ts";
import { runOf } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { CompactPoints, pointSlices } from "./point-slices.ts";
import { answerPoints, type PointAnswer } from "./points.ts";

const now = parseInstant("2026-06-15T12:00:00Z");

const wind = { eastward_wind_10m: {}, northward_wind_10m: {} };
const wave = {
  sea_surface_wave_from_direction_x: {},
  sea_surface_wave_from_direction_y: {},
  sea_surface_wave_significant_height: {},
  sea_surface_wave_mean_period: {},
};

const degrees = (step: number) => ({
  latitude: { start: -90, step, count: 180 / step + 1 },
  longitude: { start: -180, step, count: 360 / step },
});

const hourly = (step: number, last: number) =>
  Array.from({ length: last / step + 1 }, (_, index) => now + step * index * HOUR_S);

/** Five sources, of which two are the wind and the waves of one model; the third one is late and ends early. */
const runs: Run[] = [
  runOf({ source: "gfs", grid: degrees(0.25), times: hourly(1, 240), fields: wind, referenceTime: now }),
  runOf({
    source: "gfswave",
    system: "gfs",
    grid: degrees(0.5),
    times: hourly(3, 240),
    fields: wave,
    referenceTime: now,
  }),
  runOf({
    source: "ecmwf",
    grid: degrees(0.5),
    times: hourly(6, 48),
    fields: wind,
    referenceTime: now - 12 * HOUR_S,
  }),
  runOf({
    source: "cmemswave",
    grid: degrees(1),
    times: hourly(3, 120),
    fields: wave,
    referenceTime: now,
  }),
  runOf({
    source: "bay",
    grid: {
      latitude: { start: 43, step: 0.25, count: 17 },
      longitude: { start: -10, step: 0.25, count: 33 },
    },
    times: hourly(1, 24),
    fields: { ...wind, ...wave },
    referenceTime: now,
  }),
];

/** The value of a source everywhere and at all times: its own number, so that an answer shows where it is from. */
const numberOf = (source: string, field: StoredName) =>
  field === "northward_wind_10m" ? 0 : 1 + runs.findIndex((run) => run.source === source);

function sourceOf(manifest: Manifest): PointSource {
  return {
    manifest: async () => manifest,
    refresh: async () => manifest,
    async valuesAt(run, field, _, indices, out) {
      for (const index of indices ?? out.keys()) out[index] = numberOf(run.source, field);
    },
  };
}

const sourceOrder = Object.fromEntries(
  ["wind", "wave"].map((name) => [name, ["gfs", "ecmwf", "gfswave", "cmemswave"]]),
) as unknown as Manifest["sourceOrder"];
const source = sourceOf({ version: 1, runs, sourceOrder });

const request = (part: Partial<PointRequest>) =>
  pointRequest(100_000).parse({
    points: [
      { latitude: 45, longitude: -5, timestamp: formatInstant(now) },
      { latitude: 10, longitude: -40, timestamp: formatInstant(now + 60 * HOUR_S) },
    ],
    variables: ["wind", "wave"],
    ...part,
  });

const ask = (part: Partial<PointRequest>) =>
  answerPoints(source, request(part), now, new AbortController().signal);

const numbersOf = ({ results }: PointAnswer) =>
  results.map(({ coordinates, conditions }) => [
    coordinates.model,
    conditions.Winds_10m_Intensity,
    conditions.Waves_Significant_Height,
  ]);

it("each model answers all points from its own sources alone, and is null where it has none", async () => {
  const models = ["gfs", "ecmwf", "cmemswave", "bay", "gfs"];
  expect(numbersOf(await ask({ models }))).toEqual([
    ["gfs", 1, 2],
    ["gfs", 1, 2],
    ["ecmwf", 3, null],
    ["ecmwf", null, null],
    ["cmemswave", null, 4],
    ["cmemswave", null, 4],
    ["bay", 5, 5],
    ["bay", null, null],
  ]);
});

it("best is the answer of a request that names no model", async () => {
  const plain = await ask({});
  const { results } = await ask({ models: ["best", "ecmwf"] });
  expect(results.slice(0, 2).map(({ conditions }) => conditions)).toEqual(
    plain.results.map(({ conditions }) => conditions),
  );
  expect(numbersOf(plain)).toEqual([
    [undefined, 5, 5],
    [undefined, 1, 2],
  ]);
});

it("the meta names run, age, grid and step of each model, and why it has no value", async () => {
  const { meta } = await ask({ models: ["best", "gfs", "ecmwf", "bay"], include_meta: true });
  const rows = meta!.provenance.map((row) => [
    row.answer,
    row.variable,
    row.source,
    row.grid_step,
    row.step_h,
    row.age_s,
    row.points,
  ]);
  expect(rows).toContainEqual(["gfs", "wind", "gfs", 0.25, 1, 0, 2]);
  expect(rows).toContainEqual(["gfs", "wave", "gfswave", 0.5, 3, 0, 2]);
  expect(rows).toContainEqual(["ecmwf", "wind", "ecmwf", 0.5, 6, 12 * HOUR_S, 1]);
  expect(rows).toContainEqual(["best", "wind", "gfs", 0.25, 1, 0, 1]);
  expect(meta!.nulls).toContainEqual({ variable: "wave", reason: "out_of_archive", points: [4, 5, 7] });
  expect(meta!.nulls).toContainEqual({ variable: "wind", reason: "out_of_archive", points: [5, 7] });
});

it("an answer in slices, begun anywhere, equals the whole, and no slice has points of two models", async () => {
  const random = seeded(53);
  const points = Array.from({ length: 3000 }, () => ({
    latitude: -80 + 160 * random(),
    longitude: -180 + 360 * random(),
    timestamp: formatInstant(now + Math.floor(200 * random()) * HOUR_S),
  }));
  const models = ["gfs", "bay", "ecmwf"];
  const whole = await ask({ points, models });
  const manifest = await source.manifest();
  const sliced = { ...request({ points, models }), points: new CompactPoints(points) };
  const signal = new AbortController().signal;
  for (const from of [0, 2999, 3000, 4567]) {
    const results: PointAnswer["results"] = [];
    for await (const slice of pointSlices(source, manifest, sliced, from, now, signal)) {
      expect(new Set(slice.results.map(({ coordinates }) => coordinates.model)).size).toBe(1);
      results.push(...slice.results);
      expect(slice.to).toBe(from + results.length);
    }
    expect(results).toEqual(whole.results.slice(from));
  }
});

it("the demo's three models agree at the base time, part with the lead, and the third one has no waves", () => {
  const { runs: all } = demoManifest(now);
  const latest = Math.max(...all.map(({ referenceTime }) => referenceTime));
  const three = all.filter(
    ({ referenceTime, dataset }) => dataset === "Forecast" && referenceTime === latest,
  );
  expect(three.map(({ source: name }) => name)).toEqual(["demo-world", "demo-early", "demo-late"]);
  expect(three.map(({ fields }) => "sea_surface_wave_significant_height" in fields)).toEqual([
    true,
    true,
    false,
  ]);
  const hoursOff = (run: Run, lead: number) => {
    const time = latest + lead * HOUR_S;
    return (weatherTime(run, "eastward_wind_10m", time) - time) / HOUR_S;
  };
  for (const run of three) expect(hoursOff(run, 0)).toBeCloseTo(0);
  for (const lead of [24, 72, 240]) {
    const [right, early, late] = three.map((run) => hoursOff(run, lead));
    expect(right).toBe(0);
    expect(early).toBeGreaterThan(0);
    expect(late).toBeLessThan(0);
  }
  expect(hoursOff(three[1]!, 240)).toBeGreaterThan(hoursOff(three[1]!, 72));
});
