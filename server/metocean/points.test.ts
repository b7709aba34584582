import { describe, expect, it } from "vitest";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { runOf } from "#test/archive.ts";
import { answerPoints } from "./points.ts";

const now = parseInstant("2026-06-15T12:00:00Z");
const DAY = 86_400;
const globe = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};

const run = (part: Partial<Run> & { fields: Run["fields"] }) =>
  runOf({
    model: "GFS 1°",
    referenceTime: now,
    grid: globe,
    times: [now - 5 * DAY, now + 10 * DAY],
    ...part,
  });

/** A source whose fields are uniform: one number per field (and run). */
function sourceOf(runs: Run[], values: (field: StoredName, run: Run) => number): PointSource {
  return {
    manifest: async () => ({ version: 1, runs }),
    refresh: async () => ({ version: 1, runs }),
    async valuesAt(from, field, points, indices, out) {
      for (const index of indices ?? Int32Array.from({ length: points.count }, (_, i) => i))
        out[index] = values(field, from);
    },
  };
}

async function ask(source: PointSource, body: object) {
  const request = pointRequest(10).parse({
    points: [{ latitude: 10, longitude: 20, timestamp: formatInstant(now) }],
    ...body,
  });
  return answerPoints(source, request, now, new AbortController().signal);
}

const uniform = (of: Run, value: number) => sourceOf([of], () => value);

const wind = { eastward_wind_10m: {}, northward_wind_10m: {} };

describe("point answers", () => {
  it("keep order, count and duplicates, echo coordinates, and have every key, null without data", async () => {
    const point = { latitude: -0.5, longitude: 180, timestamp: formatInstant(now) };
    const other = { latitude: 1.25, longitude: -180, timestamp: formatInstant(now - 3600) };
    const asked = { points: [point, other, point], variables: ["bathy", "wind", "wind"] };
    const answer = await ask(uniform(run({ fields: wind }), 3), asked);
    expect(answer).not.toHaveProperty("meta");
    const conditions = { Bathymetry: null, Winds_10m_Direction: 225, Winds_10m_Intensity: 4.24 };
    expect(answer.results).toEqual([point, other, point].map((coordinates) => ({ coordinates, conditions })));
  });

  it("have no direction in a calm that rounds to 0", async () => {
    const { results } = await ask(uniform(run({ fields: wind }), 0.003), { variables: ["wind"] });
    expect(results[0]?.conditions).toEqual({ Winds_10m_Direction: null, Winds_10m_Intensity: 0 });
  });

  it("say where wind comes from, and where a current goes", async () => {
    const fields = {
      ...wind,
      surface_eastward_sea_water_velocity: {},
      surface_northward_sea_water_velocity: {},
    };
    const eastward = sourceOf([run({ fields, source: "cmems" })], (field) =>
      field.includes("east") ? 1 : 0,
    );
    const { results } = await ask(eastward, { variables: ["wind", "current"] });
    expect(results[0]?.conditions).toEqual({
      Winds_10m_Direction: 270,
      Winds_10m_Intensity: 1,
      Currents_Direction: 90,
      Currents_Intensity: 1,
    });
  });
});

describe("the wind at a height", () => {
  const levels = Object.fromEntries(
    [10, 100].flatMap((height) =>
      [`eastward_wind_${height}m`, `northward_wind_${height}m`].map((field) => [field, {}]),
    ),
  );
  const shear = (field: StoredName) => (field.startsWith("northward") ? 0 : field.endsWith("_10m") ? 10 : 16);

  it.each([
    ["is linear in log height between the archive's own levels", levels, Math.sqrt(1000), 13, "levels"],
    ["follows the power law with exponent 0.11 where there are none", wind, 100, 12.88, "power_law"],
  ])("%s", async (_, fields, wind_height, speed, method) => {
    const { results, meta } = await ask(sourceOf([run({ fields })], shear), {
      variables: ["wind"],
      wind_height,
      include_meta: true,
    });
    expect(results[0]?.conditions.Winds_10m_Intensity).toBe(speed);
    expect(meta?.provenance[0]?.wind_method).toBe(method);
  });
});

describe("the dataset of each point", () => {
  const datasets = (["Forecast", "Hindcast-3M", "Hindcast-3Y"] as const).map((dataset, index) =>
    run({
      dataset,
      id: dataset,
      times: [now - 1200 * DAY, now + 10 * DAY],
      fields: { ...wind, wind_speed_of_gust: {}, air_temperature: {} },
      referenceTime: now - index,
    }),
  );
  const answers = (_: StoredName, from: Run) =>
    ["Forecast", "Hindcast-3M", "Hindcast-3Y"].indexOf(from.dataset) + 1;

  it("is chosen by age, point by point, within one request", async () => {
    const ages = [-10, 5, 6, 90, 91, 1000];
    const { results, meta } = await ask(sourceOf(datasets, answers), {
      include_meta: true,
      points: ages.map((age) => ({ latitude: 0, longitude: 0, timestamp: formatInstant(now - age * DAY) })),
      variables: ["gust", "temp"],
    });
    expect(results.map(({ conditions }) => conditions.Gust_10m)).toEqual([1, 1, 2, 2, 3, 3]);
    // The variable has no hindcast: the forecast archive answers as far as it reaches, then nothing does.
    expect(results.map(({ conditions }) => conditions.Temperature_2m)).toEqual([1, 1, 1, 1, 1, null]);
    expect(meta?.provenance.map(({ variable, dataset, points }) => [variable, dataset, points])).toEqual([
      ["gust", "Forecast", 2],
      ["gust", "Hindcast-3M", 2],
      ["gust", "Hindcast-3Y", 2],
      ["temp", "Forecast", 5],
    ]);
  });
});

it("the meta of an answer names run, steps, fallbacks and the reason of every null", async () => {
  const ocean = run({
    id: "ocean",
    source: "cmems",
    times: [now - 3600, now + 3600],
    fields: { sea_surface_temperature: { comment: "daily mean" } },
  });
  const depth = run({
    id: "depth",
    dataset: "Static",
    times: [0],
    fields: { sea_floor_depth_below_sea_surface: {} },
  });
  const { meta } = await ask(
    sourceOf([ocean, depth], () => Number.NaN),
    {
      points: [
        { latitude: 0, longitude: 0, timestamp: formatInstant(now) },
        { latitude: 0, longitude: 0, timestamp: formatInstant(now + 2 * 3600) },
      ],
      variables: ["sst"],
      include_meta: true,
    },
  );
  expect(meta).toEqual({
    provenance: [
      {
        variable: "sst",
        dataset: "Forecast",
        source: "cmems",
        model: "GFS 1°",
        run: "ocean",
        age_s: 0,
        reference_time: formatInstant(now),
        valid_times: [formatInstant(now - 3600), formatInstant(now + 3600)],
        points: 1,
        notes: ["daily mean"],
      },
    ],
    nulls: [
      { variable: "sst", reason: "out_of_archive", points: [1] },
      { variable: "sst", reason: "land", points: [0] },
    ],
  });
});
