import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { groupByRun } from "#server/archive/choose-run.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { columnsOf } from "#test/archive.ts";
import { feedsForTest, firstCycle, testFeed } from "#test/feeds.ts";
import { createFeedLoop } from "./feed-loop.ts";
import type { FieldFeed } from "./field-feed.ts";

const HOUR = 3600;
const { signal } = new AbortController();

/** Three-hourly to 24 h with `lite`: nine parts. */
const feed: FieldFeed = {
  ...testFeed,
  parts: (cycle, profile) =>
    testFeed
      .parts(cycle, profile)
      .filter(
        ({ times: [time] }) =>
          profile !== "lite" || ((time! - cycle) % (3 * HOUR) === 0 && time! <= cycle + 24 * HOUR),
      )
      .map((part, index) => ({ ...part, index })),
};

type Place = ReturnType<typeof feedsForTest>;
const runsOf = async ({ archive }: Place) => (await readManifest(archive)).runs;
const stateOf = async ({ deps }: Place) => (await deps.states.all())[0];

/** Every hour is answered, and between steps that are at most so far apart. */
async function expectAnswers(place: Place, hours: number): Promise<void> {
  const points = columnsOf(
    Array.from({ length: hours + 1 }, (_, i) => [10, 60, firstCycle + i * HOUR] as const),
  );
  const manifest = await readManifest(place.archive);
  expect(groupByRun(manifest, "wind", points, place.clock.time).unanswered).toEqual([]);
}

it("after a change to a smaller profile nothing is fetched of a cycle that is there, and nothing of it goes", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR, feed);
  await createFeedLoop(place.deps).round(signal);
  const before = await runsOf(place);
  const fetched = place.host.fetches.length;
  const loop = createFeedLoop({ ...place.deps, profile: "lite" });
  await loop.round(signal);
  expect(place.host.fetches.slice(fetched)).toEqual([]);
  expect((await runsOf(place)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(await stateOf(place)).toMatchObject({ state: "current", steps: 9, stepsExpected: 9 });
  await expectAnswers(place, 48);
});

it("goes on in a cycle behind the steps that the profile before had fetched", async () => {
  const place = feedsForTest(firstCycle + 90 * 60, feed);
  let isCut = true;
  place.host.spoil = (content, { times: [time] }) =>
    isCut && time! > firstCycle + 13 * HOUR ? "absent" : content;
  const first = createFeedLoop(place.deps);
  for (const minutes of [90, 150]) {
    place.clock.time = firstCycle + minutes * 60;
    await first.round(signal);
  }
  const hourly = await runsOf(place);
  expect(Math.max(...hourly.flatMap(({ times }) => times))).toBe(firstCycle + 12 * HOUR);
  isCut = false;
  const fetched = place.host.fetches.length;
  place.deps.profile = "lite";
  // As `fetchPart` does with what was fetched for something else.
  rmSync(join(place.folder, "parts"), { recursive: true });
  place.clock.time = firstCycle + 3 * HOUR;
  const loop = createFeedLoop(place.deps);
  await loop.round(signal);
  await loop.round(signal);
  // The last step before, which the next run begins with, and its neighbour; then what is new.
  // Two are fetched at once, and either may be asked for first.
  expect(place.host.fetches.slice(fetched).sort()).toEqual(
    [3, 4, 5, 6, 7, 8].map((part) => `${firstCycle} ${part}`),
  );
  const runs = await runsOf(place);
  expect(runs.map(({ id }) => id)).toEqual(expect.arrayContaining(hourly.map(({ id }) => id)));
  expect(runs).toHaveLength(hourly.length + 1);
  expect(await stateOf(place)).toMatchObject({ state: "current", steps: 9, stepsExpected: 9 });
  await expectAnswers(place, 24);
});

it("fetches what a larger profile has more", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR, feed);
  await createFeedLoop({ ...place.deps, profile: "lite" }).round(signal);
  expect(place.host.fetches).toHaveLength(9);
  await createFeedLoop(place.deps).round(signal);
  expect(await stateOf(place)).toMatchObject({ state: "current", steps: 25, stepsExpected: 25 });
});
