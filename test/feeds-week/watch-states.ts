import { formatInstant } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { isWhole, publishedTimes } from "#server/ingest/feeds/feed-progress.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { expectedAt, newestCycle } from "#server/ingest/feeds/field-feed.ts";
import { type FeedState, LATE_AFTER_S } from "#server/platform/feed-state.ts";
import type { FaultName } from "#test/feeds-mirror/faults.ts";

const HOUR_S = 3600;
const MINUTE_S = 60;
/** Delay of the mirror's slowest host after the expected time of a part, seconds. */
const HOST_DELAY_S = 30 * MINUTE_S;
/** Interval between two checks of late data, seconds. */
const LOOK_S = 16 * MINUTE_S;
/**
 * Time after the last spoiled answer until everything due is there, seconds: quarantined parts wait for at most an
 * hour.
 */
const HEALED_S = 4 * HOUR_S;
/** Faults that look like absent data. They count as late after an hour, and are not reported before. */
const asAbsent: ReadonlySet<FaultName> = new Set(["missing", "forbidden", "yesterday"]);
/** Matches text that is not meant for people. */
export const MACHINE_WORDS = /\p{Cc}|undefined|\bNaN\b|\[object|\w+Error:|\.ts:\d|\bENO\w+/u;

/** A feed after a round. */
export interface Watched {
  feed: FieldFeed;
  profile: Profile;
  state: FeedState;
  /** Published runs of the feed. */
  runs: readonly Run[];
  /** Faults that it met in this round. */
  faults: readonly FaultName[];
  /** Time of the last fault, Unix seconds. */
  lastFault: number;
  /** Unix seconds. */
  now: number;
}

/** Violations of a state: texts that it should not have, or lacks. */
export function complaintsOf({ feed, profile, state, runs, faults, lastFault, now }: Watched): string[] {
  const { name, error } = state;
  const at = `${formatInstant(now)}: ${name}`;
  const found: string[] = [];
  if (state.state === "failing" && !error) found.push(`${at} fails without a word`);
  if (error && MACHINE_WORDS.test(error)) found.push(`${at} has words that are not for people: ${error}`);
  // Where a message is damaged at every host, the rest of the cycle is published, and the state names the missing part.
  const namesLack = error !== null && /^the cycle \S+ lacks /.test(error);
  if (error && !namesLack && state.state !== "failing" && state.state !== "late")
    found.push(`${at} is ${state.state}, and says ${error}`);

  const newest = newestCycle(feed, now);
  const parts = feed.parts(newest, profile);
  const has = new Set(publishedTimes(runs, newest));
  const isMissing = (overdueS: number) =>
    parts.some(
      (part) =>
        now >= expectedAt(feed, part, parts.length) + overdueS && part.times.some((time) => !has.has(time)),
    );
  if (isMissing(LATE_AFTER_S + LOOK_S) && state.state !== "late" && state.state !== "failing")
    found.push(`${at} is ${state.state} though data are missing for more than an hour`);
  // A file that contains a whole cycle may come an hour later than expected.
  const delay = parts.length > 1 ? HOST_DELAY_S : 3 * HOST_DELAY_S;
  const isSpoiled = faults.length > 0 && !faults.some((fault) => asAbsent.has(fault));
  if (isSpoiled && isMissing(delay) && error === null && state.state !== "late")
    found.push(`${at} says nothing of ${[...new Set(faults)].join(", ")}`);
  // Waits within a round take minutes, so the next cycle may have become due meanwhile.
  const known = newestCycle(feed, now - LOOK_S);
  if (
    state.state === "current" &&
    !isWhole(runs, newest, parts) &&
    !isWhole(runs, known, feed.parts(known, profile))
  )
    found.push(`${at} is current without the cycle of ${formatInstant(known)}`);
  if (now - lastFault < HEALED_S) return found;
  if (error) found.push(`${at} has met no fault for hours, and says ${error}`);
  const due = newestCycle(
    { cycles: feed.cycles, delay: { first: feed.delay.whole + HEALED_S, whole: 0 } },
    now,
  );
  const newestWhole = Math.max(...runs.map(({ referenceTime }) => referenceTime));
  if (newestWhole < due)
    found.push(`${at} has met no fault for hours, and lacks the cycle of ${formatInstant(due)}`);
  return found;
}
