import { describe, expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { type FaultName, objectFaults, responseFaults } from "#test/feeds-mirror/faults.ts";
import { checkArchive } from "./check-archive.ts";
import { SMOC_FILES, shortFeed } from "./short-feed.ts";
import { simulatedService } from "./simulated-service.ts";
import { singleFault } from "./single-fault.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const NEXT = CYCLE + 6 * HOUR_S;
/** Every object of the second cycle, at every mirror. */
const MATCH = "/gfs\\.20260901/06/";

/** Within the time of a test; under load a round of real sockets and threads takes a while. */
const TIMEOUT_MS = 120_000;

/** What the status says while a fault lasts; undefined where the service gets its data all the same. */
const words: Record<Exclude<FaultName, "lacks">, RegExp | undefined> = {
  slow: undefined,
  "clock-skew": undefined,
  cut: /broken: it ended after|ended the connection/,
  "bot-page": /redirects .* to \/robots\/challenge\.html/,
  forbidden: /refuses .*\(status 403\)/,
  missing: undefined,
  throttled: /asks for fewer requests \(status 429\) until/,
  error: /fails with status 500/,
  "slow-down": /asks for fewer requests \(status 503\)/,
  "wrong-length": /index|broken/,
  garbage: /index/,
  "index-cut": /of the index/,
  truncated: /index lacks|broken/,
  yesterday: /20260831/,
  replaced: undefined,
  "not-numbers": /is missing at 33/,
  "out-of-range": /which cannot be|cannot be outside/,
  "land-mask": /is missing at other places/,
  "mean-jump": /mean of .* (jumps|over the globe)/,
};

/** One of each way to notice a fault; `THOROUGH=1` has all of them, `npm run lab -- feed-faults` all on all feeds. */
const shortForm: Exclude<FaultName, "lacks">[] = [
  "cut",
  "bot-page",
  "missing",
  "throttled",
  "garbage",
  "yesterday",
  "not-numbers",
  "land-mask",
];
const chosen = process.env.THOROUGH === "1" ? [...responseFaults, ...objectFaults] : shortForm;

/** The atmosphere has no missing values: a wrong land mask is one of the waves, where the mask's share stays the same. */
const cases = chosen.map((fault) => [fault, fault === "land-mask" ? "gfswave" : "gfs"] as const);

describe.each(cases)("%s, of %s at every mirror", (fault, name) => {
  it(
    "makes no wrong number, leaves the last good run, is told in words, and heals by itself",
    async () => {
      const feed = shortFeed(name, 9);
      await using service = await simulatedService({
        feeds: [feed],
        profile: "lite",
        resolution: 2.5,
        start: CYCLE + 6 * HOUR_S,
      });
      const checked = new Set<string>();
      const check = async () => {
        expect((await checkArchive(service.archive, checked, 12)).wrong).toEqual([]);
      };
      const state = async () => (await service.states.all())[0]!;
      const reaches = async (cycle: number) => {
        const { runs } = await readManifest(service.archive);
        return runs.some(
          ({ referenceTime, times }) => referenceTime === cycle && times.at(-1) === cycle + 9 * HOUR_S,
        );
      };
      await service.runUntil(CYCLE + 6.1 * HOUR_S, check);
      expect(await reaches(CYCLE)).toBe(true);

      service.mirror.faults.add({ fault, match: MATCH });
      // Its first step has something that can be used: the next one fails, and is told of when it is due.
      const due = fault === "truncated" ? 5.7 : 4.2;
      await service.runUntil(NEXT + due * HOUR_S, check);
      const during = await state();
      const heals = words[fault] === undefined && fault !== "missing";
      expect(during.state).toBe(heals ? "current" : fault === "missing" ? "waiting" : "failing");
      expect(await reaches(NEXT)).toBe(heals);
      expect(await reaches(CYCLE)).toBe(true);
      expect(during.error ?? "").toMatch(words[fault] ?? /^$/);
      // Words are for people: whatever a host sends, no control characters.
      expect(during.error ?? "").not.toMatch(/[\p{Cc}]/u);

      service.mirror.faults.clear();
      await service.runUntil(NEXT + 8 * HOUR_S, check);
      expect(await state()).toMatchObject({ state: "current", error: null, newestRun: NEXT });
      expect(await reaches(NEXT)).toBe(true);
    },
    TIMEOUT_MS,
  );
});

describe("the first run, with nothing before it to be compared with", () => {
  it(
    "is not published with a mean that the globe never has, and comes when it is mended",
    async () => {
      await using service = await simulatedService({
        feeds: [shortFeed("gfs", 9)],
        profile: "lite",
        resolution: 2.5,
        start: CYCLE + 6 * HOUR_S,
      });
      service.mirror.faults.add({ fault: "mean-jump", match: "/gfs\\.2026" });
      await service.runUntil(CYCLE + 6.5 * HOUR_S);
      expect((await readManifest(service.archive)).runs).toEqual([]);
      expect((await service.states.all())[0]).toMatchObject({
        state: "failing",
        error: expect.stringMatching(/mean of .* over the globe/),
      });
      service.mirror.faults.clear();
      await service.runUntil(CYCLE + 9 * HOUR_S);
      expect((await service.states.all())[0]).toMatchObject({ state: "current", error: null });
      expect((await checkArchive(service.archive, new Set(), 12)).wrong).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Of each other feed what only its own form of files or its own rhythm can show. */
const others: [feed: string, fault: FaultName, words: RegExp][] = [
  ["etopo", "land-mask", /missing at \d+ of \d+ places of the open ocean/],
  ["etopo", "truncated", /cut short/],
  ["oisst", "land-mask", /is missing at other places than in the run before/],
  ["smoc", "truncated", /is not a whole Blosc frame/],
  [SMOC_FILES, "yesterday", /is in quarantine: it is of|has no step/],
  ["hycom", "mean-jump", /the mean of/],
];

it.each(others)(
  "%s with %s: the same",
  async (feed, fault, words) => {
    const outcome = await singleFault(feed, fault);
    expect(outcome.complaints).toEqual([]);
    expect(outcome.spoiled).toBeGreaterThan(0);
    expect(outcome.compared).toBeGreaterThan(0);
    expect(outcome).toMatchObject(words ? { came: false, state: "failing" } : { came: false, state: "late" });
    expect(outcome.words ?? "").toMatch(words ?? /^$/);
  },
  120_000,
);
