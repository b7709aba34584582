import { expect, it } from "vitest";
import { fieldFeeds } from "#server/ingest/sources/all.ts";
import type { FieldFeed } from "./field-feed.ts";
import { nextLook } from "./field-feed.ts";

const MINUTE = 60;
const CYCLE = Date.UTC(2026, 8, 1, 12) / 1000;

/** How often a feed is asked for a cycle that never comes, until the next one is expected. */
function looksOf({ delay, cycles }: Pick<FieldFeed, "cycles" | "delay">): number {
  let looks = 0;
  for (let now = CYCLE + delay.first; now < CYCLE + delay.first + cycles.every; looks++)
    now = nextLook({ delay }, CYCLE, now);
  return looks;
}

it("looks every minute for what comes within two hours", () => {
  const gfs = { first: 215 * MINUTE, whole: 335 * MINUTE };
  expect(nextLook({ delay: gfs }, CYCLE, CYCLE + gfs.first)).toBe(CYCLE + gfs.first + MINUTE);
});

it.each(fieldFeeds.filter(({ source }) => source.dataset !== "Static"))(
  "asks for a cycle of $name that never comes 300 times at most",
  (feed) => {
    expect(looksOf(feed)).toBeLessThanOrEqual(300);
  },
);
