import { formatMinutes, formatShortTime } from "#components/view-state/format-time.ts";
import type { FeedStatus } from "#lib/contract/feeds.ts";
import { parseInstant } from "#lib/time.ts";

/** The state of a feed as people say it, and whether it is well, to be watched, or ill. */
export const stateWords = {
  current: { text: "Current", mood: "well" },
  growing: { text: "Arriving", mood: "well" },
  waiting: { text: "Waiting", mood: "watch" },
  late: { text: "Late", mood: "watch" },
  failing: { text: "Failing", mood: "ill" },
} as const satisfies Record<FeedStatus["state"], { text: string; mood: "well" | "watch" | "ill" }>;

/** `Sat 15 Jan 12:00 UTC, 4 h ago`; a dash for null. @param now Weather clock, Unix seconds. */
export function formatMoment(instant: string | null, now: number): string {
  if (instant === null) return "–";
  const time = parseInstant(instant);
  return `${formatShortTime(time)} UTC, ${formatMinutes(time, now)}`;
}

/** `97 of 209 steps`; of storms, which have none, a dash. */
export function formatSteps({ steps, steps_expected }: FeedStatus): string {
  return steps_expected === 0 ? "–" : `${steps} of ${steps_expected}`;
}

/** One line about all feeds: `3 current, 1 late`; in the order from well to ill. */
export function summarise(feeds: readonly FeedStatus[]): string {
  const counts = Object.entries(stateWords).flatMap(([state, { text }]) => {
    const count = feeds.filter((feed) => feed.state === state).length;
    return count > 0 ? `${count} ${text.toLowerCase()}` : [];
  });
  return counts.join(", ");
}
