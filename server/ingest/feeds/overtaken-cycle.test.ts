import { expect, it } from "vitest";
import { readManifest } from "#server/archive/manifest.ts";
import { feedsForTest, firstCycle } from "#test/feeds.ts";
import { createFeedLoop } from "./feed-loop.ts";

const HOUR = 3600;
const { signal } = new AbortController();

it("leaves an older cycle in its middle when the newer one should be looked for again, and finishes it afterwards", async () => {
  const second = firstCycle + 6 * HOUR;
  // The newer cycle is due and not there: the older one is fetched meanwhile, 40 s a part.
  const place = feedsForTest(second + HOUR + 60);
  let isThere = false;
  place.host.spoil = (content, { cycle }) => {
    if (cycle === second && !isThere) return "absent";
    if (cycle === firstCycle) place.clock.time += 40;
    return content;
  };
  const loop = createFeedLoop(place.deps);
  const next = await loop.round(signal);
  // At once: a look at the newer one is due.
  expect(next).toBe(place.clock.time);
  const fetched = place.host.fetches.length;
  expect(fetched).toBeGreaterThan(0);
  expect(fetched).toBeLessThan(25);
  isThere = true;
  await loop.round(signal);
  expect(place.host.fetches[fetched]).toBe(`${second} 0`);
  const { runs } = await readManifest(place.archive);
  expect(runs.some(({ referenceTime }) => referenceTime === second)).toBe(true);
});
