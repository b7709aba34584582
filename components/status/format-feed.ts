import "#components/api-client/without-eval.ts";
import { utc } from "#components/view-state/civil.ts";
import { formatMinutes, formatShortTime } from "#components/view-state/format-time.ts";
import { type FeedStatus, feedStates } from "#lib/contract/feeds.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { parseInstant } from "#lib/time.ts";

/** Whether a feed is well, to be watched, or ill. */
export const moods = {
  current: "well",
  growing: "well",
  waiting: "watch",
  late: "watch",
  failing: "ill",
} as const satisfies Record<FeedStatus["state"], string>;

/** `Sat 15 Jan 12:00 UTC, 4 h ago`; a dash for null. @param now Weather clock, Unix seconds. */
export function formatMoment(instant: string | null, now: number, words: WordsWith<"status">): string {
  if (instant === null) return "–";
  const time = parseInstant(instant);
  return words.status.moment({
    time: formatShortTime(time, { ...utc, words }),
    age: formatMinutes(time, now, words),
  });
}

/** `97 of 209 steps`; of storms, which have none, a dash. */
export function formatSteps({ steps, steps_expected }: FeedStatus, { status }: WordsWith<"status">): string {
  return steps_expected === 0 ? "–" : status.stepsOf({ here: steps, expected: steps_expected });
}

/** How many feeds are in each state that one is in, from well to ill. */
export function countStates(feeds: readonly FeedStatus[]): { state: FeedStatus["state"]; count: number }[] {
  return feedStates
    .map((state) => ({ state, count: feeds.filter((feed) => feed.state === state).length }))
    .filter(({ count }) => count > 0);
}
