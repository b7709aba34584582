import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { planFeed, selectFeeds } from "#server/ingest/feeds/plan-feeds.ts";
import { fieldFeeds } from "#server/ingest/publishers/registry.ts";
import { readOwnSources } from "#server/ingest/sources/own-source.ts";
import { temporaryFolder } from "#test/archive.ts";
import { liveStorms } from "#test/live-storms.ts";
import { checkArchive } from "./check-archive.ts";
import { gapsOf } from "./coverage.ts";
import { leadFor, shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";

const HOUR_S = 3600;
const START = Date.UTC(2026, 8, 3, 20) / 1000;
const AHEAD_H = 6;
const feeds = selectFeeds("lite", fieldFeeds, []).fields.map(({ name }) =>
  shortFeed(name, leadFor(name, AHEAD_H)),
);

/** A source that derives air temperature, which `lite` does not fetch, from the same files. */
const OWN = `name: on-board
credit: NOAA/NCEP, public domain
cycles: { every: 6 }
delay: { first: 3.6, whole: 5.7 }
leads: ["0-24/3"]
mirrors: [{ base: "https://noaa-gfs-bdp-pds.s3.amazonaws.com" }]
files: "gfs.{YYYY}{MM}{DD}/{HH}/atmos/gfs.t{HH}z.pgrb2.0p25.f{FFF}"
index: wgrib2
fields:
  air_temperature: { grib: [0, 0, 0], level: [103, 2], units: K, index: { element: TMP, level: "2 m above ground" } }
`;

it("a boat with FEEDS=lite, its own source and a clock two hours slow has all of them, including waves, currents and storms", async () => {
  const clockErrorS = -2 * HOUR_S;
  const sources = join(await temporaryFolder(), "sources");
  mkdirSync(sources);
  writeFileSync(join(sources, "on-board.yaml"), OWN);
  const own = readOwnSources(sources);
  const { fields } = selectFeeds("lite", [...fieldFeeds, ...own], []);
  expect(fields.map(({ name }) => name)).toEqual([...feeds, ...own].map(({ name }) => name));
  const start = START + clockErrorS;
  await using service = await simulatedService({
    feeds: [...feeds, ...own],
    profile: "lite",
    resolution: 5,
    start,
    clockErrorS,
  });
  await service.runUntil(start + 60);
  const manifest = await readManifest(service.archive);
  expect((await checkArchive(service.archive, new Set(), 4)).wrong).toEqual([]);
  const now = service.clock.now();
  for (const name of ["wind", "gust", "pressure", "wave", "current", "temp"] as const)
    expect(gapsOf(manifest, name, { now, since: now, until: now + AHEAD_H * HOUR_S })).toEqual([]);
  const cycles = manifest.runs.map(
    ({ source, referenceTime }) => `${source} ${new Date(referenceTime * 1000).getUTCHours()}`,
  );
  expect(new Set(cycles)).toContain("gfs 12");

  // The counted bytes, which a budget would limit, are those that the hosts sent.
  const sent = service.mirror.log.reduce((sum, request) => sum + request.sent, 0);
  const counted = (await service.states.all()).reduce((sum, { bytesToday }) => sum + bytesToday, 0);
  expect(counted / sent).toBeCloseTo(1, 1);
  const plans = service.feeds.map((feed) => planFeed(feed, "lite", keepOf("lite", {})));
  expect(await service.disk.used()).toBeLessThan(
    1.2 * plans.reduce((sum, { bytesInAll }) => sum + bytesInAll, 0),
  );

  await using storms = await liveStorms(["nhc", "jtwc", "jma"], start, clockErrorS);
  await storms.round();
  expect(await storms.storms("jtwc")).not.toEqual([]);
  expect(await storms.storms("jma")).not.toEqual([]);
}, 120_000);
