import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { randomWaves } from "#bench/weather-like.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldsOfProfile, segmentsOf } from "#server/ingest/feeds/field-feed.ts";
import { archivedPerFetched } from "#server/ingest/feeds/plan-feeds.ts";
import { publish, temporaryFolder } from "#test/archive.ts";
import { type AnalyticField, analyticValues } from "#test/feeds-mirror/analytic.ts";
import { nodesOf } from "#test/feeds-mirror/planet.ts";
import { feedNamed } from "./short-feed.ts";

const HOUR_S = 3600;
const RADIANS = Math.PI / 180;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const STEP = 1;
const [ROWS, COLUMNS] = [180 / STEP + 1, 360 / STEP];

/**
 * Small waves on the planet's smooth fields, similar to real files: amplitude, growth with the wavelength, and limits.
 */
const textures: readonly [field: RegExp, amplitude: number, slope: number, least?: number, most?: number][] =
  [
    [/ward_wind/, 6, 0.6],
    [/gust/, 8, 0.5, 0],
    [/air_temperature/, 9, 0.8],
    [/pressure/, 9, 1.4],
    [/precipitation/, 1, 0.5, 0],
    [/convective/, 350, 0.6, 0],
    [/cloud/, 60, 0.6, 0, 100],
    [/height/, 0.7, 0.9, 0.02],
    [/period/, 1, 0.8, 1.5],
    [/direction/, 30, 0.9],
    [/velocity/, 0.3, 0.9],
  ];

const grid = {
  latitude: { start: -90, step: STEP, count: ROWS },
  longitude: { start: -180, step: STEP, count: COLUMNS },
};
const nodes = nodesOf({
  rows: ROWS,
  columns: COLUMNS,
  latitude: -90,
  latitudeStep: STEP,
  longitude: -180,
  longitudeStep: STEP,
});

/** A field with realistic weather. */
function weatherOf(name: FieldName): (time: number) => Float32Array {
  const [, amplitude, slope, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] =
    textures.find(([field]) => field.test(name))!;
  const component = /^(.*direction)_([xy])$/.exec(name);
  const form = (component?.[1] ?? name) as AnalyticField;
  // Winds at all heights turn together.
  const waves = randomWaves(grid, slope, 8, crc32(/ward_wind/.test(form) ? form.slice(0, 4) : form));
  return (time) => {
    const deviates = waves((time - CYCLE) / HOUR_S);
    const values = analyticValues(form, nodes, { from: time, to: time });
    return Float32Array.from(values, (value, i) => {
      const sum = Math.min(most, Math.max(least, value + amplitude * deviates[i]!));
      if (!component || Number.isNaN(value)) return Number.isNaN(value) ? Number.NaN : sum;
      return component[2] === "x" ? Math.sin(sum * RADIANS) : Math.cos(sum * RADIANS);
    });
  };
}

/** Feeds that differ in their packing; `THOROUGH=1` tests the others too. */
const shortForm: [string, Profile][] = [
  ["gfs", "lite"],
  ["gfswave", "standard"],
  ["smoc", "lite"],
];
const others: [string, Profile][] = [
  ["gfs", "standard"],
  ["gfswave", "lite"],
  ["ecmwf", "lite"],
  ["cmemswave", "lite"],
];

it.each(process.env.THOROUGH === "1" ? [...shortForm, ...others] : shortForm)(
  "a segment of %s takes as much of the disk with %s as is asked for, within a fifth",
  async (feedName, profile) => {
    const feed = feedNamed(feedName);
    const parts = feed.parts(CYCLE, profile);
    const [, { from, to, times } = { from: 0, to: 0, times: [] }] = segmentsOf(parts, feed);
    const root = temporaryFolder();
    const run = {
      dataset: "Forecast",
      source: feedName,
      model: "1°",
      referenceTime: CYCLE,
      grid,
      times,
    } as const;
    const names = fieldsOfProfile(feed, profile);
    await publish(
      root,
      run,
      Object.fromEntries(names.map((name) => [name, times.map(weatherOf(name))])),
      {},
      true,
    );
    const { latitude, longitude } = feed.grid![profile];
    const scale = (ROWS * COLUMNS) / (latitude.count * longitude.count);
    const asked = (to - from) * feed.partBytes(profile) * archivedPerFetched(feed, profile) * scale;
    const used = await folderArchive(root).usedBytes();
    expect(used / asked).toBeGreaterThan(0.8);
    expect(used / asked).toBeLessThan(1.2);
  },
  60_000,
);
