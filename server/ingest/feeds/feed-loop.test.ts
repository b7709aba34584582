import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { groupByRun } from "#server/archive/choose-run.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import { columnsOf } from "#test/archive.ts";
import { feedsForTest, firstCycle, testFeed, weatherAt } from "#test/feeds.ts";
import type { FetchPart } from "./feed-deps.ts";
import { againAt, createFeedLoop, createFeedLoops, describe } from "./feed-loop.ts";
import { quarantined } from "./feed-progress.ts";
import { endOf, type FieldFeed, type Part, segmentsOf } from "./field-feed.ts";
import { PartFailedError, partFolder } from "./part-store.ts";
import { archivedPerFetched, diskBudget } from "./plan-feeds.ts";

const HOUR = 3600;
const { signal: never } = new AbortController();

type Place = ReturnType<typeof feedsForTest>;

/** Simulates until a time. */
async function runUntil({ deps, clock }: Place, end: number, loop = createFeedLoop(deps)): Promise<void> {
  for (let guard = 0; clock.time < end; guard++) {
    if (guard > 2000) throw new Error("the clock does not advance");
    clock.time = Math.min(end, Math.max(clock.time, await loop.round(never)));
  }
}

/** Expects the planet's weather at every hour of a span. */
async function expectWeather({ archive, clock }: Place, from: number, to: number): Promise<void> {
  const rows = [];
  for (let time = from; time <= to; time += HOUR) rows.push([10, 60, time] as const);
  const points = columnsOf(rows);
  const manifest = await readManifest(archive);
  const reader = openReader(directoryStore(archive), { cacheBytes: 1 << 20 });
  const { groups, unanswered } = groupByRun(manifest, "wind", points, clock.time);
  expect(unanswered).toEqual([]);
  const out = new Float64Array(points.count);
  for (const { run, indices } of groups)
    await reader.valuesAt(run, "eastward_wind_10m", points, indices, out, never);
  for (const [i, [latitude, longitude, time]] of rows.entries())
    expect(Math.abs(out[i]! - weatherAt("eastward_wind_10m", latitude, longitude, time))).toBeLessThan(0.3);
}

it("checks a feed in time after the clock was a day ahead for one round", async () => {
  const place = feedsForTest(firstCycle + HOUR + 160);
  const loop = createFeedLoop(place.deps);
  place.clock.time += 86_400;
  // The host has nothing of that day yet.
  const { fetchPart } = place.deps;
  place.deps.fetchPart = async () => "absent";
  await loop.round(never);
  place.deps.fetchPart = fetchPart;
  place.clock.time -= 86_400;
  await loop.round(never);
  expect((await readManifest(place.archive)).runs.map(({ times }) => times[0])).toEqual([firstCycle]);
});

it("a feed whose host hangs forever does not delay another feed", async () => {
  const place = feedsForTest(firstCycle + HOUR + 160);
  const { fetchPart } = place.deps;
  const stop = new AbortController();
  const hanging: FetchPart = (_feed, _part, _profile, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  place.deps.fetchPart = (feed, ...rest) => (feed.name === "hanging" ? hanging : fetchPart)(feed, ...rest);
  const hangs = { ...testFeed, name: "hanging", source: { ...testFeed.source, name: "hanging" } };
  const [first, second] = createFeedLoops({ ...place.deps, feeds: [hangs, testFeed] });
  const hung = first!.round(stop.signal);
  for (let hour = 0; hour < 3; hour++) {
    await second!.round(never);
    place.clock.time += HOUR;
  }
  await second!.round(never);
  expect(await place.deps.states.all()).toContainEqual(
    expect.objectContaining({ name: "test", steps: 25, stepsExpected: 25, error: null }),
  );
  stop.abort();
  await expect(hung).rejects.toThrow();
});

it("publishes the first two steps at once, then segment by segment, and leaves nothing on disk but the archive", async () => {
  const place = feedsForTest(firstCycle + HOUR + 160);
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  const [first] = (await readManifest(place.archive)).runs;
  expect(first?.times).toEqual([firstCycle, firstCycle + HOUR]);
  expect(await place.deps.states.all()).toMatchObject([
    { name: "test", state: "growing", newestRun: firstCycle, steps: 2, stepsExpected: 25, error: null },
  ]);
  await runUntil(place, firstCycle + 2 * HOUR + 60, loop);
  const { runs } = await readManifest(place.archive);
  const spans = runs.map(({ times }) =>
    [times[0]! - firstCycle, times.at(-1)! - firstCycle].map((s) => s / HOUR),
  );
  expect(spans.sort((a, b) => a[0]! - b[0]!)).toEqual([
    [0, 7],
    [7, 42],
    [42, 48],
  ]);
  await expectWeather(place, firstCycle, firstCycle + 47 * HOUR);
  expect(existsSync(join(place.folder, "parts", "test", "20260101T00Z"))).toBe(false);
  expect(new Set(place.host.fetches).size).toBe(place.host.fetches.length);
  expect((await place.deps.states.all())[0]).toMatchObject({ state: "current", bytesToday: 25_000 });
});

it("a feed that its publisher ends is fetched to its last cycle, says a day later that it has ended, and asks no more", async () => {
  const last = firstCycle + 6 * HOUR;
  const ending = { ...testFeed, ended: endOf("2026-01-01") - 12 * HOUR };
  const place = feedsForTest(firstCycle + HOUR + 60, ending);
  const loop = createFeedLoop(place.deps);
  await runUntil(place, last + 3 * HOUR, loop);
  const state = async () => (await place.deps.states.all())[0]!;
  expect(await state()).toMatchObject({
    state: "current",
    newestRun: last,
    nextExpected: null,
    error: null,
  });
  expect(place.host.fetches.at(-1)).toBe(`${last} 24`);
  const fetches = place.host.fetches.length;
  await runUntil(place, last + 3 * 24 * HOUR, loop);
  // The rounds after the last one maintain the past.
  let next = place.clock.time;
  for (let round = 0; round < 20 && next === place.clock.time; round++) next = await loop.round(never);
  expect(next).toBeGreaterThanOrEqual(place.clock.time + HOUR);
  expect(await state()).toMatchObject({ state: "ended", newestRun: last, nextExpected: null, error: null });
  expect(place.host.fetches.length).toBe(fetches);
  await expectWeather(place, firstCycle, last + 47 * HOUR);
});

it("a feed that ended before its last cycle has come is late for a day, then ended", async () => {
  const last = firstCycle + 6 * HOUR;
  const place = feedsForTest(firstCycle + HOUR + 60, { ...testFeed, ended: last });
  place.host.spoil = (content) => (content.cycle === last ? "absent" : content);
  const loop = createFeedLoop(place.deps);
  await runUntil(place, last + 4 * HOUR, loop);
  const state = async () => (await place.deps.states.all())[0]!;
  expect(await state()).toMatchObject({ state: "late", newestRun: firstCycle });
  await runUntil(place, last + 30 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "ended", newestRun: firstCycle, error: null });
});

it("continues where a killed process stopped, and fetches nothing twice", async () => {
  const place = feedsForTest(firstCycle + 90 * 60);
  const stop = new AbortController();
  const { fetchPart } = place.deps;
  let left = 10;
  place.deps.fetchPart = async (...part) => {
    if (left-- === 0) stop.abort();
    stop.signal.throwIfAborted();
    return fetchPart(...part);
  };
  await expect(createFeedLoop(place.deps).round(stop.signal)).rejects.toThrow();
  place.deps.fetchPart = fetchPart;
  await runUntil(place, firstCycle + 3 * HOUR);
  expect(place.host.fetches.length).toBe(25);
  await expectWeather(place, firstCycle, firstCycle + 47 * HOUR);
});

it.each([
  ["a mean that jumps", { error: 6 }, /mean of .* jumps from/],
  ["values that are no numbers", { error: Number.NaN }, /has no values at all/],
  ["values that cannot be", { error: 200 }, /cannot be outside/],
  ["a field that is missing", { names: ["eastward_wind_10m" as const] }, /it lacks northward_wind_10m/],
  [
    "yesterday's step in today's place",
    { times: [firstCycle - 18 * HOUR] },
    /it has no step 2026-01-01T07:00:00Z/,
  ],
])("keeps the last good run and quarantines %s, reports it, and recovers", async (_, damage, reason) => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  const second = firstCycle + 6 * HOUR;
  let broken = true;
  place.host.spoil = (content, part) =>
    broken && part.cycle === second && part.index === 1 ? { ...content, ...damage } : content;
  await runUntil(place, second + 3 * HOUR, loop);
  const { runs } = await readManifest(place.archive);
  expect(runs.some(({ referenceTime }) => referenceTime === second)).toBe(false);
  await expectWeather(place, firstCycle, firstCycle + 47 * HOUR);
  const [state] = await place.deps.states.all();
  expect(state).toMatchObject({
    state: "failing",
    error: expect.stringMatching(reason),
    newestRun: firstCycle,
  });
  const found = await quarantined(place.folder);
  expect(found.at(-1)).toMatchObject({ feed: "test", reason: expect.stringMatching(reason) });
  expect(readdirSync(found.at(-1)!.folder)).toContain("part.nc");
  expect(found.length).toBeLessThanOrEqual(8);

  broken = false;
  await runUntil(place, second + 5.5 * HOUR, loop);
  expect((await place.deps.states.all())[0]).toMatchObject({
    state: "current",
    newestRun: second,
    error: null,
  });
  await expectWeather(place, firstCycle, second + 47 * HOUR);
});

it("publishes the third cycle that disagrees with an odd run before it, and no odd cycle between good ones", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const loop = createFeedLoop(place.deps);
  const odd = new Set([firstCycle, firstCycle + 30 * HOUR]);
  place.host.spoil = (content, { cycle }) => (odd.has(cycle) ? { ...content, error: 8 } : content);
  await runUntil(place, firstCycle + 17 * HOUR, loop);
  const state = async () => (await place.deps.states.all())[0];
  expect(await state()).toMatchObject({
    state: "failing",
    newestRun: firstCycle,
    error: expect.stringMatching(/jumps/),
  });
  const third = firstCycle + 18 * HOUR;
  await runUntil(place, third + 3 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "current", newestRun: third, error: null });
  await expectWeather(place, third, third + 47 * HOUR);
  // From here on new cycles are compared with the good ones.
  await runUntil(place, firstCycle + 35 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "failing", newestRun: firstCycle + 24 * HOUR });
  await runUntil(place, firstCycle + 39 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "current", newestRun: firstCycle + 36 * HOUR });
});

it("continues with the next cycle when one never comes, and answers every time of the last five days and ahead", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const lost = firstCycle + 12 * HOUR;
  place.host.spoil = (content, { cycle }) => (cycle === lost ? "absent" : content);
  const end = firstCycle + 26 * HOUR;
  await runUntil(place, end);
  await expectWeather(place, firstCycle, end + 40 * HOUR);
  const { runs } = await readManifest(place.archive);
  const [day] = runs.filter(({ dataset }) => dataset === "Hindcast-3M");
  expect(day?.times).toEqual(Array.from({ length: 25 }, (_, i) => firstCycle + i * HOUR));
  // Two cycles are complete; of the others only the first segments are left.
  const whole = runs.filter(({ dataset, times }) => dataset === "Forecast" && times.length > 9);
  expect(new Set(whole.map(({ referenceTime }) => referenceTime)).size).toBeLessThanOrEqual(3);
});

it("reports the progress of the first round while it is fetching", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const { fetchPart, states } = place.deps;
  const seen: Awaited<ReturnType<typeof states.all>> = [];
  place.deps.fetchPart = async (...part) => {
    seen.push(...structuredClone(await states.all()));
    return fetchPart(...part);
  };
  await createFeedLoop(place.deps).round(never);
  expect(seen[0]).toMatchObject({ state: "waiting", newestRun: null, steps: 0, stepsExpected: 25 });
  // The next segment is fetched meanwhile.
  expect(seen.find(({ steps }) => steps === 8)).toMatchObject({
    state: "growing",
    newestRun: firstCycle,
    stepsExpected: 25,
    validUntil: firstCycle + 7 * HOUR,
    lastSuccess: place.clock.time,
    mirror: "here",
    error: null,
  });
});

it("reports what stops a later part of a cycle, until it continues", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const state = async () => (await place.deps.states.all())[0];
  let broken = true;
  const second = firstCycle + 6 * HOUR;
  const { fetchPart } = place.deps;
  const failures = [{ mirror: "here", error: new Error("refuses it") }];
  place.deps.fetchPart = async (...args) => {
    const [, { cycle, index }] = args;
    if (broken && cycle === second && index === 6) throw new PartFailedError(failures, [], 0);
    return fetchPart(...args);
  };
  const loop = createFeedLoop(place.deps);
  // A host may refuse a part that it does not have before the part is due. This part is due after 1.25 h.
  await runUntil(place, second + 1.24 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "growing", newestRun: second, error: null });
  await runUntil(place, second + 4 * HOUR, loop);
  expect(await state()).toMatchObject({
    state: "failing",
    newestRun: second,
    steps: 6,
    error: "here: refuses it",
    errorAt: expect.any(Number),
  });
  // The next look comes no sooner than that for a late part.
  expect((await loop.round(never)) - place.clock.time).toBe(5 * 60);
  broken = false;
  await runUntil(place, second + 4.2 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "current", steps: 25, error: null, errorAt: null });
});

it("asks the next mirror for a part that is damaged on the first one", async () => {
  const mirrors = ["one", "two"].map((name) => ({ name, base: `https://${name}.example` }));
  const place = feedsForTest(firstCycle + 3 * HOUR, { ...testFeed, mirrors });
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  const second = firstCycle + 6 * HOUR;
  const isBad = (part: Part) => part.cycle === second && part.index === 1;
  let asked = "";
  const { fetchPart } = place.deps;
  place.deps.fetchPart = (feed, part, ...rest) => {
    if (isBad(part)) asked = feed.mirrors[0]!.name;
    return fetchPart(feed, part, ...rest);
  };
  place.host.spoil = (content, part) => (isBad(part) && asked === "one" ? { ...content, error: 6 } : content);
  await runUntil(place, second + 3 * HOUR, loop);
  expect((await place.deps.states.all())[0]).toMatchObject({ state: "current", newestRun: second });
  await expectWeather(place, firstCycle, second + 47 * HOUR);
});

it("fetches a whole cycle again after two quarantines, because the part that is blamed may not be the bad one", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  const second = firstCycle + 6 * HOUR;
  const times = (index: number) => place.host.fetches.filter((part) => part === `${second} ${index}`).length;
  place.host.spoil = (content, part) =>
    part.cycle === second && part.index === 1 && times(1) < 2 ? { ...content, error: 6 } : content;
  await runUntil(place, second + 3 * HOUR, loop);
  expect([times(0), times(1)]).toEqual([2, 3]);
  expect((await place.deps.states.all())[0]).toMatchObject({ state: "current", newestRun: second });
});

it("reports a cycle as late an hour after it was expected, and removes its steps once newer cycles have passed it", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  const second = firstCycle + 6 * HOUR;
  place.host.spoil = (content, { cycle, index }) => (cycle === second && index > 0 ? "absent" : content);
  const state = async () => (await place.deps.states.all())[0];
  await runUntil(place, second + 2 * HOUR, loop);
  expect(await state()).toMatchObject({ state: "waiting", newestRun: firstCycle, error: null });
  await runUntil(place, second + 2.2 * HOUR, loop);
  expect(await state()).toMatchObject({
    state: "late",
    newestRun: firstCycle,
    error: expect.stringMatching(/nothing has come since the cycle 2026-01-01T00:00:00Z/),
  });
  const folder = join(place.folder, "parts", "test", "20260101T06Z");
  expect(existsSync(folder)).toBe(true);
  await runUntil(place, second + 20 * HOUR, loop);
  expect(existsSync(folder)).toBe(false);
});

it("requests a single part before it is due, but never several", async () => {
  const place = feedsForTest(firstCycle + HOUR + 1);
  const asked: number[] = [];
  const { fetchPart } = place.deps;
  place.deps.fetchPart = (feed, part, ...rest) => {
    if (part.cycle === firstCycle) asked.push(part.index);
    return fetchPart(feed, part, ...rest);
  };
  await createFeedLoop(place.deps).round(never);
  expect(asked).toEqual([0, 1]);
});

it("asks for the next part of a late cycle alone, and for several at the same time once it has come", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  let has = 4;
  place.host.spoil = (content, { index }) => (index < has ? content : "absent");
  let asked: number[] = [];
  let running = 0;
  let most = 0;
  const { fetchPart } = place.deps;
  place.deps.fetchPart = async (...fetch) => {
    const [, { cycle, index }, , { folder }] = fetch;
    if (cycle === firstCycle && !existsSync(folder)) asked.push(index);
    most = Math.max(most, ++running);
    return fetchPart(...fetch).finally(() => running--);
  };
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  asked = [];
  await loop.round(never, true);
  expect(asked).toEqual([4]);
  most = 0;
  has = 25;
  await loop.round(never, true);
  expect(asked).toEqual([4, ...Array.from({ length: 21 }, (_, i) => i + 4)]);
  expect(most).toBe(3);
});

it("refuses to begin a fetch for which the disk has no room", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  place.deps.disk.reserve = async () => "the archive has 1.0 GB of 1.0 GB";
  await createFeedLoop(place.deps).round(never);
  expect(place.host.fetches).toEqual([]);
  expect((await place.deps.states.all())[0]).toMatchObject({
    state: "failing",
    error: expect.stringContaining("1.0 GB"),
  });
});

it("of two feeds that begin at once and do not fit together, one waits until the other has published", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const { deps, clock } = place;
  deps.feeds = [testFeed, { ...testFeed, name: "other", source: { ...testFeed.source, name: "other" } }];
  const cycle = 25 * testFeed.partBytes("standard") * archivedPerFetched(testFeed, "standard");
  deps.disk = diskBudget(deps.archive, 1.8 * cycle, 0);
  const loop = createFeedLoop(deps);
  const states = async () => (await deps.states.all()).map(({ state }) => state).sort();
  clock.time = await loop.round(never);
  expect(await states()).toEqual(["current", "failing"]);
  expect((await deps.states.all()).find(({ state }) => state === "failing")).toMatchObject({
    error: expect.stringContaining("other feeds are fetching"),
  });
  await loop.round(never);
  expect(await states()).toEqual(["current", "current"]);
});

it.each([
  ["a segment", {}, 8],
  ["the whole cycle of an ensemble", { ensemble: { plan: "members", size: 2, stride: 1 } }, 25],
] as const)("asks for room for the files of %s, but for those that are there", async (_, of, parts) => {
  const feed: FieldFeed = { ...testFeed, ...of };
  const place = feedsForTest(firstCycle + 3 * HOUR, feed);
  const asked: number[] = [];
  place.deps.disk.reserve = async (_, need) => {
    asked.push((await need()).files);
    return "full";
  };
  const part = feed.parts(firstCycle, "standard")[0]!;
  const folder = partFolder(place.deps.folder, feed, part);
  for (const there of [0, 300]) {
    mkdirSync(join(folder, "members"), { recursive: true });
    writeFileSync(join(folder, "members", "0.grib2"), new Uint8Array(there));
    asked.length = 0;
    await createFeedLoop(place.deps).round(never);
    expect(asked[0]).toBe(parts * feed.partBytes("standard") - there);
  }
});

it("asks for room for the files of a later segment, whatever files of earlier ones are still there", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const asked: number[] = [];
  const { reserve } = place.deps.disk;
  place.deps.disk.reserve = async (feed, need) => {
    asked.push((await need()).files);
    return reserve(feed, need);
  };
  await createFeedLoop(place.deps).round(never);
  const segments = segmentsOf(testFeed.parts(firstCycle, "standard"), testFeed);
  expect(segments.length).toBeGreaterThan(1);
  expect(asked).toEqual(segments.map(({ from, to }) => (to - from) * testFeed.partBytes("standard")));
});

it("keeps room for a segment until it is published, also while the next one is fetched", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const { deps } = place;
  const parts = testFeed.parts(firstCycle, "standard");
  const [first, second] = segmentsOf(parts, testFeed);
  const lastOfFirst = partFolder(deps.folder, testFeed, parts[first!.to - 1]!);
  const secondIsAsked = Promise.withResolvers<void>();
  const { scan } = deps.decoder;
  deps.decoder.scan = async (file, ...rest) => {
    if (file.startsWith(lastOfFirst)) await secondIsAsked.promise;
    return scan(file, ...rest);
  };
  const { reserve } = deps.disk;
  const asked: number[] = [];
  deps.disk.reserve = async (feed, need) => {
    asked.push((await need()).bytes);
    if (asked.length === 2) secondIsAsked.resolve();
    return reserve(feed, need);
  };
  await createFeedLoop(deps).round(never);
  const bytesOf = (count: number) =>
    count * testFeed.partBytes("standard") * archivedPerFetched(testFeed, "standard");
  expect(asked.slice(0, 2)).toEqual([bytesOf(parts.length), bytesOf(second!.to)]);
});

it("checks each feed when its own look is due, and all feeds when a person asks", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const { deps, clock } = place;
  const looks: Record<string, number[]> = { test: [], other: [] };
  const { fetchPart } = deps;
  const source = { ...testFeed.source, name: "other" };
  deps.feeds = [
    testFeed,
    { ...testFeed, name: "other", source, delay: { first: 2 * HOUR, whole: 9 * HOUR } },
  ];
  deps.fetchPart = async (feed, ...rest) => {
    const seen = looks[feed.name]!;
    if (seen.at(-1) !== clock.time) seen.push(clock.time);
    if (feed.name === "test") throw new PartFailedError([], ["here"], 0);
    return feed.name === "other" ? "absent" : fetchPart(feed, ...rest);
  };
  const loop = createFeedLoop(deps);
  const end = firstCycle + 5 * HOUR + 60;
  while (clock.time < end) clock.time = Math.min(end, await loop.round(never));
  // A failing feed is checked after 1, 2, 4, 8 and then every 15 minutes.
  expect(looks.test!.slice(0, 6).map((time) => (time - looks.test![0]!) / 60)).toEqual([0, 1, 3, 7, 15, 30]);
  expect(looks.other!.length).toBeGreaterThan(looks.test!.length);
  const before = looks.test!.length;
  clock.time += 1;
  await loop.round(never);
  expect(looks.test!.length).toBe(before);
  await loop.round(never, true);
  expect(looks.test!.at(-1)).toBe(clock.time);
});

it("reports why a part is in quarantine, not the failure of a fetch beside it when the part was taken away", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const { deps } = place;
  const loop = createFeedLoop(deps);
  await loop.round(never);
  const second = firstCycle + 6 * HOUR;
  const { fetchPart } = deps;
  let asked = 0;
  deps.fetchPart = async (feed, part, profile, options) => {
    // The next segment begins with a part of the one that is being published.
    if (part.cycle === second && part.index === 6 && ++asked === 2) {
      const isThere = () => existsSync(options.folder);
      for (let turn = 0; isThere() && turn < 2000; turn++) await new Promise((next) => setTimeout(next, 1));
      if (!isThere()) throw new Error("ENOENT: no such file or directory");
    }
    return fetchPart(feed, part, profile, options);
  };
  place.host.spoil = (content, part) =>
    part.cycle === second && part.index === 6 ? { ...content, error: 6 } : content;
  place.clock.time = second + 3 * HOUR;
  await loop.round(never);
  expect(asked).toBeGreaterThan(1);
  expect((await deps.states.all())[0]).toMatchObject({
    state: "failing",
    error: expect.stringMatching(/in quarantine: the mean of .* jumps/),
  });
});

it("publishes within minutes what has arrived when nothing more arrives", async () => {
  const place = feedsForTest(firstCycle + HOUR);
  place.host.spoil = (content, { cycle, index }) => (cycle === firstCycle && index < 15 ? content : "absent");
  const loop = createFeedLoop(place.deps);
  const shown: number[] = [];
  while (place.clock.time < firstCycle + HOUR + 50 * 60) {
    const next = await loop.round(never);
    shown.push((await place.deps.states.all())[0]!.steps);
    place.clock.time = next;
  }
  // The last step arrived after 35 minutes.
  const at = shown.indexOf(15);
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(41);
});

it.each([
  ["absent", "late", /^nothing has come since the cycle 2026-01-01T00:00:00Z/],
  [new Error("example.org has no such host"), "failing", /no such host/],
] as const)(
  "says for a day that a feed is dead (%s), whatever cycle is due",
  async (answer, state, words) => {
    const place = feedsForTest(firstCycle + 3 * HOUR);
    const loop = createFeedLoop(place.deps);
    await loop.round(never);
    place.host.spoil = (content, { cycle }) => (cycle === firstCycle ? content : answer);
    const begin = firstCycle + 8 * HOUR + 120;
    while (place.clock.time < begin) place.clock.time = Math.min(begin, await loop.round(never));
    const seen = new Set<string>();
    while (place.clock.time < firstCycle + 32 * HOUR) {
      const next = await loop.round(never);
      const [now] = await place.deps.states.all();
      seen.add(now!.state);
      expect(now!.error).toMatch(words);
      place.clock.time = next;
    }
    expect([...seen]).toEqual([state]);
    place.host.spoil = (content) => content;
    await loop.round(never, true);
    expect((await place.deps.states.all())[0]).toMatchObject({ state: "current", error: null });
  },
);

it("tells what a person can do when the byte budget is spent, and when fetching continues by itself", () => {
  const tomorrow = Date.UTC(2026, 8, 2) / 1000;
  const spent = new OutOfBudgetError("example.org", 1e9, tomorrow);
  expect(describe(spent)).toMatch(/continues at 2026-09-02T00:00:00Z\. FEED_BYTES_A_DAY allows more/);
  expect(againAt(spent)).toBe(tomorrow);
});

it("interrupts an older cycle when a look at the newer one is due, and finishes it afterwards", async () => {
  const second = firstCycle + 6 * HOUR;
  // The newer cycle is due but absent. The older one is fetched meanwhile, 40 s a part.
  const place = feedsForTest(second + HOUR + 60);
  let isThere = false;
  place.host.spoil = (content, { cycle }) => {
    if (cycle === second && !isThere) return "absent";
    if (cycle === firstCycle) place.clock.time += 40;
    return content;
  };
  const loop = createFeedLoop(place.deps);
  const next = await loop.round(never);
  // The next look is immediate, because a look at the newer cycle is due.
  expect(next).toBe(place.clock.time);
  const fetched = place.host.fetches.length;
  expect(fetched).toBeGreaterThan(0);
  expect(fetched).toBeLessThan(25);
  isThere = true;
  await loop.round(never);
  // The first parts of the cycle are fetched together, and any may be requested first.
  expect(place.host.fetches[fetched]).toMatch(`${second} `);
  const { runs } = await readManifest(place.archive);
  expect(runs.some(({ referenceTime }) => referenceTime === second)).toBe(true);
});
