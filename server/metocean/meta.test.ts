import { expect, it } from "vitest";
import { type PointMeta, pointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { runOf } from "#test/archive.ts";
import { joinMeta } from "./meta.ts";
import { answerPoints } from "./points.ts";

const now = parseInstant("2026-06-15T12:00:00Z");

const gust = (run: string, valid_times: string[], points: number): PointMeta["provenance"][number] => ({
  variable: "gust",
  dataset: "Forecast",
  source: "gfs",
  model: "GFS",
  run,
  reference_time: "2026-06-15T12:00:00Z",
  valid_times,
  points,
});

it("joins equal runs and equal reasons, and shifts positions to those in the request", () => {
  const first: PointMeta = {
    provenance: [gust("a", ["2026-06-15T12:00:00Z", "2026-06-15T15:00:00Z"], 3)],
    nulls: [{ variable: "gust", reason: "missing", points: [1] }],
    streams: [{ station: "noaa:A", points: [2] }],
  };
  const second: PointMeta = {
    provenance: [gust("a", ["2026-06-15T09:00:00Z", "2026-06-15T12:00:00Z"], 2), gust("b", [], 1)],
    nulls: [
      { variable: "gust", reason: "missing", points: [0, 2] },
      { variable: "gust", reason: "out_of_archive", points: [1] },
    ],
    streams: [
      { station: "noaa:B", points: [0] },
      { station: "noaa:A", points: [2] },
    ],
  };
  const copy = structuredClone(first);
  expect(joinMeta(first, second, 10)).toEqual({
    provenance: [
      gust("a", ["2026-06-15T09:00:00Z", "2026-06-15T12:00:00Z", "2026-06-15T15:00:00Z"], 5),
      gust("b", [], 1),
    ],
    nulls: [
      { variable: "gust", reason: "missing", points: [1, 10, 12] },
      { variable: "gust", reason: "out_of_archive", points: [11] },
    ],
    streams: [
      { station: "noaa:A", points: [2, 12] },
      { station: "noaa:B", points: [10] },
    ],
  });
  expect(first).toEqual(copy);
});

it("waves are missing for ice where the water freezes, for land where there is no depth, else for no known reason", async () => {
  const run = (id: string, dataset: Run["dataset"], times: number[], fields: Run["fields"]) =>
    runOf({ id, dataset, source: "cmems", referenceTime: now, times, fields });
  const waves = Object.fromEntries(
    ["significant_height", "mean_period", "from_direction_x", "from_direction_y"].map((part) => [
      `sea_surface_wave_${part}`,
      {},
    ]),
  );
  const runs = [
    run("ocean", "Forecast", [now, now + 3600], { ...waves, sea_surface_temperature: {} }),
    run("depth", "Static", [0], { sea_floor_depth_below_sea_surface: {} }),
  ];
  const source: PointSource = {
    manifest: async () => ({ version: 1, runs }),
    refresh: async () => ({ version: 1, runs }),
    async valuesAt(_, field, points, indices, out) {
      for (const index of indices!) {
        const latitude = points.latitude[index]!;
        if (field === "sea_surface_temperature") out[index] = latitude > 70 ? -1.8 : 12;
        else if (field === "sea_floor_depth_below_sea_surface" && latitude !== 0) out[index] = 100;
        else out[index] = Number.NaN;
      }
    },
  };
  const timestamp = formatInstant(now);
  const points = [0, 40, 80].map((latitude) => ({ latitude, longitude: 0, timestamp }));
  const request = pointRequest(9).parse({ points, variables: ["wave"], include_meta: true });
  const { meta } = await answerPoints(source, request, now, new AbortController().signal);
  expect(meta?.nulls).toEqual([
    { variable: "wave", reason: "land", points: [0] },
    { variable: "wave", reason: "missing", points: [1] },
    { variable: "wave", reason: "ice", points: [2] },
  ]);
});
