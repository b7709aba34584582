import { expect, it } from "vitest";
import { folderArchive } from "#server/archive/run-archive.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldsOfProfile, segmentsOf } from "#server/ingest/feeds/field-feed.ts";
import { archivedPerFetched } from "#server/ingest/feeds/plan-feeds.ts";
import { publish, temporaryFolder } from "#test/archive.ts";
import { feedNamed } from "./short-feed.ts";
import { weatherOn } from "./weather.ts";

const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const STEP = 1;
const [ROWS, COLUMNS] = [180 / STEP + 1, 360 / STEP];

const grid = {
  latitude: { start: -90, step: STEP, count: ROWS },
  longitude: { start: -180, step: STEP, count: COLUMNS },
};
const weather = weatherOn(grid, CYCLE);

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
      Object.fromEntries(names.map((name) => [name, times.map((time) => weather(name, time))])),
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
