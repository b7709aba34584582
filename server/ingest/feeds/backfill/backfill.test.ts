import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { DAY_S } from "#lib/time.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { backfillOverMirror } from "#test/backfill.ts";
import { checkArchive } from "#test/feeds-week/check-archive.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";

const HOUR = 3600;
const at = (iso: string) => Date.parse(`${iso}Z`) / 1000;
const now = at("2026-09-01T12:00");
const days = (from: string, to: string) => ({ from: at(`${from}T00:00`), to: at(`${to}T00:00`) + DAY_S });
const lite = { profile: "lite", now, keep: { recent: 90 * DAY_S } } as const;

type Place = Awaited<ReturnType<typeof backfillOverMirror>>;

/** Ranges of objects that a mirror sent, without those of indices. */
const rangesOf = ({ mirror }: Place) =>
  mirror.log
    .filter(({ range, status }) => range !== undefined && status === 206)
    .map(({ url, range }) => `${url} ${range}`);

async function expectTruth(archive: string): Promise<void> {
  const { wrong, compared } = await checkArchive(archive, new Set(), 6);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(100);
}

const hoursOf = (times: readonly number[], from: number) => times.map((time) => (time - from) / HOUR);

it("builds the days of Hindcast-3M from the shortest leads, with the planet's values, and fetches nothing twice", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  const span = days("2026-08-03", "2026-08-04");
  expect(await place.run(span)).toEqual({ built: 2, absent: 0, failed: 0 });
  const { runs } = await readManifest(place.archive);
  expect(runs.map(({ dataset, source, referenceTime }) => [dataset, source, referenceTime])).toEqual([
    ["Hindcast-3M", "gfs", span.from],
    ["Hindcast-3M", "gfs", span.from + DAY_S],
  ]);
  expect(hoursOf(runs[0]!.times, span.from)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24]);
  await expectTruth(place.archive);
  const ranges = rangesOf(place);
  expect(new Set(ranges).size).toBe(ranges.length);
  expect(place.mirror.log.every(({ url }) => /f00[03](\.idx)?$/.test(url))).toBe(true);
  // A second call has nothing to do.
  expect((await place.plan(span)).units).toEqual([]);
  expect(existsSync(place.deps.folder)).toBe(false);
  expect(place.lines).toEqual([
    expect.stringMatching(/^1\/2 Hindcast-3M 2026-08-03: 9 of 9 steps, .* from AWS; .* to go$/),
    expect.stringMatching(/^2\/2 Hindcast-3M 2026-08-04: 9 of 9 steps, .* from AWS$/),
    expect.stringMatching(/^gfs: 2 of 2 built; .* fetched in 1 min\.$/),
  ]);
});

it("continues where a killed process stopped: published days and fetched parts are not fetched again", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  const span = days("2026-08-03", "2026-08-04");
  const stop = new AbortController();
  const { fetchPart } = place.deps;
  let left = 14;
  place.deps.fetchPart = (...part) => {
    if (left-- === 0) stop.abort();
    stop.signal.throwIfAborted();
    return fetchPart(...part);
  };
  await expect(place.run(span, stop.signal)).rejects.toThrow();
  expect((await readManifest(place.archive)).runs).toHaveLength(1);
  place.deps.fetchPart = fetchPart;
  expect(await place.run(span)).toEqual({ built: 1, absent: 0, failed: 0 });
  const ranges = rangesOf(place);
  expect(new Set(ranges).size).toBe(ranges.length);
  await expectTruth(place.archive);
});

it("uses longer leads of the previous cycle in place of a cycle that no mirror has, and reports days without any data", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  place.mirror.faults.add({ fault: "missing", match: "gfs.20260803/06" });
  place.mirror.faults.add({ fault: "missing", match: "gfs.2026080[567]" });
  expect(await place.run(days("2026-08-03", "2026-08-06"))).toEqual({ built: 3, absent: 1, failed: 0 });
  const { runs } = await readManifest(place.archive);
  expect(runs[0]!.times).toHaveLength(9);
  await expectTruth(place.archive);
  expect(place.mirror.log.some(({ url, status }) => /0803.00.*f006$/.test(url) && status === 206)).toBe(true);
  expect(place.lines[1]).toContain("2026-08-04: 9 of 9 steps");
  // The first steps of the day come from the last cycle before it.
  expect(place.lines[2]).toContain("2026-08-05: 2 of 9 steps");
  expect(place.lines[3]).toContain("2026-08-06: no mirror has it");
});

it("fetches nothing of a day that lacks steps while no mirror has them, and the whole day when one has", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  const span = days("2026-08-05", "2026-08-05");
  place.mirror.faults.add({ fault: "missing", match: "gfs.2026080[567]" });
  expect(await place.run(span)).toEqual({ built: 1, absent: 0, failed: 0 });
  const ranges = rangesOf(place);
  expect(await place.run(span)).toEqual({ built: 0, absent: 1, failed: 0 });
  expect(rangesOf(place)).toEqual(ranges);
  expect(place.lines.at(-2)).toContain("2026-08-05: no mirror has the 6 missing steps");
  place.mirror.faults.clear();
  expect(await place.run(span)).toEqual({ built: 1, absent: 0, failed: 0 });
  expect((await readManifest(place.archive)).runs.map(({ times }) => times.length)).toEqual([9]);
  await expectTruth(place.archive);
});

it("publishes nothing implausible and nothing from a failing mirror, says why, and builds the day when it is requested again", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  const span = days("2026-08-03", "2026-08-04");
  place.mirror.faults.add({ fault: "out-of-range", match: "gfs.20260803/12.*f003" });
  place.mirror.faults.add({ fault: "error", match: "gfs.20260804/12.*f003" });
  expect(await place.run(span)).toEqual({ built: 0, absent: 0, failed: 2 });
  expect((await readManifest(place.archive)).runs).toEqual([]);
  expect(place.lines[0]).toMatch(
    /2026-08-03: not published: cycle 2026-08-03T12:00:00Z, 2026-08-03T15:00:00Z: .*cannot be/,
  );
  expect(place.lines[1]).toMatch(/2026-08-04: failed: AWS: .*500/);
  expect(place.lines.at(-1)).toContain("2 failed: the same command tries them again");
  place.mirror.faults.clear();
  expect(await place.run(span)).toEqual({ built: 2, absent: 0, failed: 0 });
  await expectTruth(place.archive);
});

it("fetches the archive of forecasts and the hindcast together, each with its own fields only", async () => {
  const keep = { archive: 184 * DAY_S, recent: 90 * DAY_S };
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), profile: "standard", now, keep });
  const plan = await place.plan(days("2026-08-03", "2026-08-03"));
  expect(plan.units.map(({ kind, steps, names }) => [kind, steps, names.length])).toEqual([
    ["recent", 25, 7],
    ["archive", 25, 5],
  ]);
  const [recent, archive] = plan.units.map(({ bytes }) => bytes);
  expect(recent! + archive!).toBeCloseTo(25 * feedNamed("gfs").partBytes("standard"), -3);
});

it("keeps a published day that has more than the mirrors have now", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  const span = days("2026-08-03", "2026-08-03");
  place.mirror.faults.add({ fault: "missing", match: "gfs.20260803/12/.*f003" });
  place.mirror.faults.add({ fault: "missing", match: "gfs.20260803/06/.*f009" });
  expect(await place.run(span)).toMatchObject({ built: 1 });
  const before = (await readManifest(place.archive)).runs;
  expect(hoursOf(before[0]!.times, span.from)).not.toContain(15);
  // Meanwhile a mirror has the step but has lost others.
  place.mirror.faults.clear();
  place.mirror.faults.add({ fault: "missing", match: "gfs.20260803/(00|06)/" });
  expect(await place.run(span)).toEqual({ built: 0, absent: 0, failed: 1 });
  expect((await readManifest(place.archive)).runs).toEqual(before);
  expect(place.lines.join("")).toMatch(
    /left as it is: what is published has 8 steps, and \d+ of its fields' steps/,
  );
});

it("waits for the next day when the byte budget is spent, and continues there", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfswave"), ...lite, bytesADay: 80_000 });
  expect(await place.run(days("2026-08-03", "2026-08-03"))).toEqual({ built: 1, absent: 0, failed: 0 });
  expect(place.lines[0]).toBe(
    "FEED_BYTES_A_DAY is used up for today; the back-fill continues at 2026-09-02T00:00:00Z",
  );
  expect(place.clock.now()).toBeGreaterThanOrEqual(at("2026-09-02T00:00"));
  await expectTruth(place.archive);
});

it("begins no day that does not fit on the disk, and says so", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite, diskBytes: 1e6 });
  await expect(place.run(days("2026-08-03", "2026-08-03"))).rejects.toThrow(/FEED_DISK_MB/);
  expect(place.mirror.log).toEqual([]);
});

it("lets the service fetch first, between any two parts and before it writes", async () => {
  await using place = await backfillOverMirror({ feed: feedNamed("gfs"), ...lite });
  const turns: number[] = [];
  place.deps.turn = async () => void turns.push(rangesOf(place).length);
  await place.run(days("2026-08-03", "2026-08-03"));
  expect(turns.length).toBe(4);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
});
