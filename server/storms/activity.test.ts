import { expect, it } from "vitest";
import { BASE, bulletin, fix } from "#test/storm-feed.ts";
import { removedStorms } from "./activity.ts";

const DAY = 24 * 3600;

it("remembers a storm that ended and was removed by its last fix, for two weeks", () => {
  const ended = bulletin({ isFinal: true, ended: { by: "text", at: BASE } });
  const removed = removedStorms([], [ended], [], BASE + 2 * DAY);
  expect(removed).toEqual([{ ...ended, observed: [fix(0, 20, 180)] }]);
  expect(removedStorms(removed, [], [], BASE + 14 * DAY)).toEqual(removed);
  expect(removedStorms(removed, [], [], BASE + 14 * DAY + 1)).toEqual([]);
  // One that is published again, and one that never ended, are not.
  expect(removedStorms(removed, [], [bulletin()], BASE + 3 * DAY)).toEqual([]);
  expect(removedStorms([], [bulletin()], [], BASE + 2 * DAY)).toEqual([]);
});
