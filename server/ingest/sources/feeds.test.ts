import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileSource } from "#server/ingest/byte-source.ts";
import type { FieldFeed, PartObjects, Profile, WantedMessage } from "#server/ingest/feeds/field-feed.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";
import { findInWgrib2Index, type IndexEntry, readWgrib2Index } from "#server/ingest/grib2/wgrib2-index.ts";
import { describeWithSamples } from "#test/samples.ts";
import { fieldFeeds } from "./feeds.ts";
import { gfsFeed } from "./gfs-feed.ts";
import { gfswaveFeed } from "./gfswave-feed.ts";
import { matches } from "./source.ts";

const profiles: readonly Profile[] = ["lite", "standard", "full"];
const cycle = Date.UTC(2026, 10, 23, 6) / 1000;

function messagesOf(feed: FieldFeed, profile: Profile, index = 0): PartObjects & { kind: "messages" } {
  const objects = feed.objects(feed.parts(cycle, profile)[index]!, profile, feed.mirrors[0]!);
  if (objects?.kind !== "messages") throw new Error(`${feed.name} is not fetched by messages`);
  return objects;
}

describe.each(fieldFeeds.map((feed) => [feed.name, feed] as const))("the feed %s", (_, feed) => {
  it.each(profiles)("has every step of a cycle once, in order, from the base time on: %s", (profile) => {
    const parts = feed.parts(cycle, profile);
    const times = parts.flatMap((part) => part.times);
    expect(times[0]).toBe(cycle);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(parts.map(({ index }) => index)).toEqual(parts.map((_, index) => index));
  });

  it("costs more with each profile", () => {
    const costs = profiles.map((profile) => feed.partBytes(profile) * feed.parts(cycle, profile).length);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(costs[0]).toBeGreaterThan(0);
  });
});

it("names the objects of GFS and GFS-Wave as NOAA does", () => {
  expect(messagesOf(gfsFeed, "full", 7)).toMatchObject({
    object: "gfs.20261123/06/atmos/gfs.t06z.pgrb2.0p25.f007",
    index: { object: "gfs.20261123/06/atmos/gfs.t06z.pgrb2.0p25.f007.idx", form: "wgrib2" },
  });
  expect(messagesOf(gfswaveFeed, "lite", 1).object).toBe(
    "gfs.20261123/06/wave/gridded/gfswave.t06z.global.0p25.f003.grib2",
  );
  expect(gfsFeed.parts(cycle, "full")).toHaveLength(209);
  expect(gfswaveFeed.parts(cycle, "full")).toHaveLength(209);
});

describeWithSamples("what is wanted is what real indices have", (samples) => {
  const index = (name: string) => readWgrib2Index(readFileSync(join(samples, name), "utf8"));
  const find = (entries: readonly IndexEntry[], { element, level, time }: WantedMessage) =>
    time === "instant" ? findInWgrib2Index(entries, { element, level, window: "anl" }) : undefined;

  it("gfs: every message of every profile, at the cost that is announced", () => {
    const entries = index("idx/gfs.t00z.pgrb2.0p25.f000.idx");
    for (const profile of profiles) {
      const { wanted } = messagesOf(gfsFeed, profile);
      const lengths = wanted.map((message) => find(entries, message)?.length ?? Number.NaN);
      const bytes = lengths.reduce((sum, length) => sum + length, 0);
      expect(bytes / gfsFeed.partBytes(profile)).toBeGreaterThan(0.85);
      expect(bytes / gfsFeed.partBytes(profile)).toBeLessThan(1.15);
    }
  });

  it("gfswave: the words of a message and its codes select the same field", () => {
    const entries = index("grib2/gdaswave.t00z.wcoast.0p16.f000.grib2.idx");
    const file = join(samples, "grib2/gdaswave.t00z.wcoast.0p16.f000.grib2");
    using source = fileSource(file);
    const records = scanGrib2(source).fields.map((field) => ({
      kind: "grib2" as const,
      file,
      grid: field.grid,
      validTime: field.time.end,
      referenceTime: field.referenceTime,
      field,
    }));
    const { wanted } = messagesOf(gfswaveFeed, "full");
    expect(wanted).toHaveLength(15);
    const selectors = gfswaveFeed.source.rules.flatMap(({ choices }) => choices[0]!.needs);
    for (const selector of selectors) {
      if (selector.kind !== "grib2") throw new Error("GFS-Wave is GRIB2");
      const { parameter, level, time } = selector;
      const entry = find(entries, { element: parameter.element, level: level.words, time });
      const selected = records.filter((record) => matches(selector, record));
      expect(selected.map(({ field }) => field.offset)).toEqual([entry?.offset]);
    }
  });
});
