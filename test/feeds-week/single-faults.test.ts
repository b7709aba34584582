import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";
import { checkArchive } from "./check-archive.ts";
import { SMOC_FILES, shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";
import { singleFault } from "./single-fault.ts";

/**
 * One fault of each kind of detection, and for each feed those that only its own format or schedule can show; `npm run
 * lab -- feed-faults` tests all of them on all feeds. The text is that of the status while the fault lasts.
 */
it.each<[feed: string, fault: FaultName, words: RegExp]>([
  ["gfs", "cut", /broken: it ended after|ended the connection/],
  ["gfs", "missing", /^nothing has come since the cycle/],
  ["etopo", "land-mask", /missing at \d+ of \d+ places of the open ocean/],
  [SMOC_FILES, "yesterday", /is in quarantine: it is of|has no step/],
  ["hycom", "mean-jump", /the mean of/],
])(
  "%s with %s at every mirror: no wrong number, the last good run, words, and it heals by itself",
  async (feed, fault, words) => {
    const outcome = await singleFault(feed, fault);
    expect(outcome.complaints).toEqual([]);
    expect(outcome.spoiled).toBeGreaterThan(0);
    expect(outcome.compared).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ came: false, state: fault === "missing" ? "late" : "failing" });
    expect(outcome.words).toMatch(words);
  },
  120_000,
);

it("a first run, without earlier runs to compare with, is not published with a mean that the globe never has", async () => {
  const start = Date.UTC(2026, 8, 1, 6) / 1000;
  await using service = await simulatedService({
    feeds: [shortFeed("gfs", 3)],
    profile: "lite",
    resolution: 5,
    start,
  });
  service.mirror.faults.add({ fault: "mean-jump", match: "/gfs\\.2026" });
  await service.runUntil(start + 0.5 * HOUR_S);
  expect((await readManifest(service.archive)).runs).toEqual([]);
  const error = expect.stringMatching(/mean of .* over the globe/);
  expect((await service.states.all())[0]).toMatchObject({ state: "failing", error });
  service.mirror.faults.clear();
  await service.runUntil(start + 3 * HOUR_S);
  expect((await service.states.all())[0]).toMatchObject({ state: "current", error: null });
  expect((await checkArchive(service.archive, new Set(), 12)).wrong).toEqual([]);
}, 120_000);
