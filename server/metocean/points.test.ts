import { describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { runOf } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { CompactPoints } from "./point-slices.ts";
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
function sourceOf(runs: Run[], values: (field: FieldName, run: Run) => number): PointSource {
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

const wind = { eastward_wind_10m: {}, northward_wind_10m: {} };

describe("point answers", () => {
  it("keep order, count and duplicates, and echo coordinates unchanged", async () => {
    const point = { latitude: -0.5, longitude: 180, timestamp: formatInstant(now) };
    const other = { latitude: 1.25, longitude: -180, timestamp: formatInstant(now - 3600) };
    const { results } = await ask(
      sourceOf([run({ fields: wind })], () => 3),
      {
        points: [point, other, point],
        variables: ["wind", "wind"],
      },
    );
    expect(results.map(({ coordinates }) => coordinates)).toEqual([point, other, point]);
    expect(results.map(({ conditions }) => Object.keys(conditions))).toEqual(
      Array(3).fill(["Winds_10m_Direction", "Winds_10m_Intensity"]),
    );
  });

  it("are null without data, with every key present", async () => {
    const { results } = await ask(
      sourceOf([], () => 1),
      { variables: ["wave", "bathy"] },
    );
    expect(results[0]?.conditions).toEqual({
      Waves_Mean_Direction: null,
      Waves_Significant_Height: null,
      Waves_Mean_Period: null,
      Bathymetry: null,
    });
  });

  it("have no direction in a calm that rounds to 0", async () => {
    const { results } = await ask(
      sourceOf([run({ fields: wind })], () => 0.003),
      { variables: ["wind"] },
    );
    expect(results[0]?.conditions).toEqual({ Winds_10m_Direction: null, Winds_10m_Intensity: 0 });
  });

  it("say where wind comes from, and where a current goes", async () => {
    const fields = {
      ...wind,
      surface_eastward_sea_water_velocity: {},
      surface_northward_sea_water_velocity: {},
    };
    const { results } = await ask(
      sourceOf([run({ fields, source: "cmems" })], (field) => (field.includes("eastward") ? 1 : 0)),
      { variables: ["wind", "current"] },
    );
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
  const shear = (field: FieldName) => (field.startsWith("northward") ? 0 : field.endsWith("_10m") ? 10 : 16);

  it("is linear in log height between the archive's own levels", async () => {
    const { results, meta } = await ask(sourceOf([run({ fields: levels })], shear), {
      variables: ["wind"],
      wind_height: Math.sqrt(1000),
      include_meta: true,
    });
    expect(results[0]?.conditions.Winds_10m_Intensity).toBe(13);
    expect(meta?.provenance[0]?.wind_method).toBe("levels");
  });

  it("follows the power law with exponent 0.11 where there are no levels, gust untouched", async () => {
    const { results, meta } = await ask(
      sourceOf([run({ fields: { ...wind, wind_speed_of_gust: {} } })], (field) =>
        field.startsWith("northward") ? 0 : 10,
      ),
      { variables: ["wind", "gust"], wind_height: 100, include_meta: true },
    );
    expect(results[0]?.conditions).toMatchObject({ Winds_10m_Intensity: 12.88, Gust_10m: 10 });
    expect(meta?.provenance[0]?.wind_method).toBe("power_law");
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
  const answers = (_: FieldName, from: Run) =>
    ["Forecast", "Hindcast-3M", "Hindcast-3Y"].indexOf(from.dataset) + 1;

  it("is chosen by age, point by point, within one request", async () => {
    const ages = [-10, 5, 6, 90, 91, 1000];
    const { results, meta } = await ask(sourceOf(datasets, answers), {
      include_meta: true,
      points: ages.map((age) => ({ latitude: 0, longitude: 0, timestamp: formatInstant(now - age * DAY) })),
      variables: ["gust", "temp"],
    });
    expect(results.map(({ conditions }) => conditions.Gust_10m)).toEqual([1, 1, 2, 2, 3, 3]);
    // Archive-only: the forecast archive as far as it reaches, then nothing.
    expect(results.map(({ conditions }) => conditions.Temperature_2m)).toEqual([1, 1, 1, 1, 1, null]);
    expect(meta?.provenance.map(({ variable, dataset, points }) => [variable, dataset, points])).toEqual([
      ["gust", "Forecast", 2],
      ["gust", "Hindcast-3M", 2],
      ["gust", "Hindcast-3Y", 2],
      ["temp", "Forecast", 5],
    ]);
  });

  it("is answered by the newest run whose steps bracket the time", async () => {
    const old = run({ id: "old", referenceTime: now - DAY, fields: wind });
    const newer = run({ id: "newer", referenceTime: now, times: [now, now + DAY], fields: wind });
    const value = (_: FieldName, { id }: Run) => (id === "newer" ? 2 : 1);
    const at = async (time: number) =>
      (
        await ask(sourceOf([old, newer], value), {
          points: [{ latitude: 0, longitude: 0, timestamp: formatInstant(time) }],
          variables: ["wind"],
        })
      ).results[0]?.conditions.Winds_10m_Intensity;
    expect(await at(now + 3600)).toBe(2.83);
    expect(await at(now - 3600)).toBe(1.41);
    expect(await at(now + DAY + 1)).toBe(1.41);
  });

  it("prefers a variable's first source where two grids overlap", async () => {
    const baltic = {
      latitude: { start: 54, step: 1, count: 12 },
      longitude: { start: 10, step: 1, count: 12 },
    };
    const regional = run({
      id: "cmems",
      source: "cmems",
      grid: baltic,
      fields: {
        sea_surface_wave_from_direction_x: {},
        sea_surface_wave_from_direction_y: {},
        sea_surface_wave_significant_height: {},
        sea_surface_wave_mean_period: {},
      },
      referenceTime: now - DAY,
    });
    const global = { ...regional, id: "gfswave", source: "gfswave", grid: globe, referenceTime: now };
    const { results } = await ask(
      sourceOf([global, regional], (_, { id }) => (id === "cmems" ? 1 : 2)),
      {
        points: [57, 40].map((latitude) => ({ latitude, longitude: 15, timestamp: formatInstant(now) })),
        variables: ["wave"],
      },
    );
    expect(results.map(({ conditions }) => conditions.Waves_Significant_Height)).toEqual([1, 2]);
  });
});

describe("the meta of an answer", () => {
  it("is absent unless requested", async () => {
    expect(
      await ask(
        sourceOf([], () => 1),
        { variables: ["wind"] },
      ),
    ).not.toHaveProperty("meta");
  });

  it("names run, steps, fallbacks and the reason of every null", async () => {
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
});

it("gives back the points of a request as they were sent, in any slices", () => {
  const random = seeded(3);
  const points = Array.from({ length: 1000 }, (_, index) => ({
    latitude: index === 7 ? -0 : 180 * random() - 90,
    longitude: 360 * random() - 180,
    timestamp: formatInstant(1_700_000_000 + Math.floor(random() * 1e8) * (index % 3)),
  }));
  const added = new CompactPoints();
  for (const [from, to] of [
    [0, 7],
    [7, 7],
    [7, 700],
    [700, 701],
    [701, 1000],
  ] as const)
    added.add(points.slice(from, to));
  for (const compact of [new CompactPoints(points), added]) {
    expect(compact.length).toBe(1000);
    for (const [from, to] of [
      [0, 1000],
      [0, 0],
      [999, 5000],
      [300, 612],
    ] as const)
      expect(compact.slice(from, to)).toStrictEqual(points.slice(from, to));
  }
});
