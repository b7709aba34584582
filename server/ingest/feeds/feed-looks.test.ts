import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { feedsForTest, firstCycle, testFeed } from "#test/feeds.ts";
import { createFeedLoop } from "./feed-loop.ts";
import { PartFailedError } from "./part-store.ts";

const HOUR = 3600;
const { signal: never } = new AbortController();

it("asks for a feed when its own look is due, not whenever another feed's is, and for all when a person asks", async () => {
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
  // One that fails is asked after 1, 2, 4, 8 and then every 15 minutes.
  expect(looks.test!.slice(0, 6).map((time) => (time - looks.test![0]!) / 60)).toEqual([0, 1, 3, 7, 15, 30]);
  expect(looks.other!.length).toBeGreaterThan(looks.test!.length);
  const before = looks.test!.length;
  clock.time += 1;
  await loop.round(never);
  expect(looks.test!.length).toBe(before);
  await loop.round(never, true);
  expect(looks.test!.at(-1)).toBe(clock.time);
});

it("says why a part is in quarantine, not what a fetch beside it met when the part was taken away", async () => {
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

it("shows at its first look all that is there of a cycle that has half arrived, and goes on as steps come", async () => {
  const place = feedsForTest(firstCycle + HOUR + 41 * 60);
  const loop = createFeedLoop(place.deps);
  const next = await loop.round(never);
  // 17 of 25 steps: a segment of 8, and 9 of the next one.
  expect((await place.deps.states.all())[0]).toMatchObject({ state: "growing", steps: 17 });
  expect(next - place.clock.time).toBe(60);
  expect(place.host.fetches).toHaveLength(17);
});

it("shows within minutes what has come when no more comes", async () => {
  const place = feedsForTest(firstCycle + HOUR);
  place.host.spoil = (content, { cycle, index }) => (cycle === firstCycle && index < 15 ? content : "absent");
  const loop = createFeedLoop(place.deps);
  const shown: number[] = [];
  while (place.clock.time < firstCycle + HOUR + 50 * 60) {
    const next = await loop.round(never);
    shown.push((await place.deps.states.all())[0]!.steps);
    place.clock.time = next;
  }
  // The last step came after 35 minutes.
  const at = shown.indexOf(15);
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(41);
});

it.each([
  ["absent", "late", /^nothing has come since the cycle 2026-01-01T00:00:00Z/],
  [new Error("example.org has no such host"), "failing", /no such host/],
] as const)(
  "says for two days that a feed is dead (%s), whatever cycle is due",
  async (answer, state, words) => {
    const place = feedsForTest(firstCycle + 3 * HOUR);
    const loop = createFeedLoop(place.deps);
    await loop.round(never);
    place.host.spoil = (content, { cycle }) => (cycle === firstCycle ? content : answer);
    const begin = firstCycle + 8 * HOUR + 120;
    while (place.clock.time < begin) place.clock.time = Math.min(begin, await loop.round(never));
    const seen = new Set<string>();
    while (place.clock.time < firstCycle + 56 * HOUR) {
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

it("says the same of a feed of which nothing has ever come", async () => {
  const place = feedsForTest(firstCycle + HOUR);
  place.host.spoil = () => "absent";
  const loop = createFeedLoop(place.deps);
  const seen: string[] = [];
  while (place.clock.time < firstCycle + 48 * HOUR) {
    const next = await loop.round(never);
    const { state } = (await place.deps.states.all())[0]!;
    if (seen.at(-1) !== state) seen.push(state);
    place.clock.time = next;
  }
  expect(seen).toEqual(["waiting", "late"]);
});
