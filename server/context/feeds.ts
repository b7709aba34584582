import type { FeedStatus, FeedsResponse } from "#lib/contract/feeds.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { type FeedState, type FeedStates, LATE_AFTER_S } from "#server/platform/feed-state.ts";
import { type ClockReading, describeClockError } from "#server/platform/fetching/clock-error.ts";
import type { Metrics } from "#server/platform/metrics.ts";

/** What does not change of a feed. */
export type FeedDescription = Pick<FeedStatus, "name" | "title" | "credit" | "kind">;

export interface FeedsDeps {
  /** Whether GET /feeds needs no key. */
  open: boolean;
  /** The feeds that are turned on. */
  enabled: readonly FeedDescription[];
  states: Pick<FeedStates, "all">;
  /** Bytes of the published runs. */
  diskBytes(): Promise<number>;
  /** What they may take; undefined without a budget. */
  budgetBytes: number | undefined;
  /** Weather clock, Unix seconds. */
  now(): number;
  /** What fetching has found out about the clock of this machine. */
  clockReading(): Promise<ClockReading | undefined>;
}

/** The feeds as GET /feeds answers them. */
export interface FeedsStatus {
  open: boolean;
  /** What is wrong with this machine's clock, for the operator; undefined where nothing is known to be. */
  clockProblem(): Promise<string | undefined>;
  read(): Promise<FeedsResponse>;
}

export function feedsStatus({
  open,
  enabled,
  states,
  diskBytes,
  budgetBytes,
  now,
  clockReading,
}: FeedsDeps): FeedsStatus {
  return {
    open,
    clockProblem: async () => describeClockError(await clockReading()),
    read: async () => {
      const [known, bytes, reading] = await Promise.all([states.all(), diskBytes(), clockReading()]);
      const byName = new Map(known.map((state) => [state.name, state]));
      // What fetches corrects its clock likewise.
      const at = now() - (reading?.errorS ?? 0);
      return {
        now: formatInstant(at),
        clock_error_s: reading?.errorS ?? null,
        feeds: enabled.map((description) => statusOf(description, byName.get(description.name), at)),
        disk: { bytes, budget_bytes: budgetBytes ?? null },
      };
    },
  };
}

function statusOf(description: FeedDescription, state: FeedState | undefined, now: number): FeedStatus {
  const newestRun = state?.newestRun ?? null;
  return {
    ...description,
    state: stateAt(state, now),
    newest_run: instant(newestRun),
    age_s: newestRun === null ? null : Math.max(0, Math.round(now - newestRun)),
    steps: state?.steps ?? 0,
    steps_expected: state?.stepsExpected ?? 0,
    valid_until: instant(state?.validUntil),
    next_expected: instant(state?.nextExpected),
    last_success: instant(state?.lastSuccess),
    last_error:
      state?.error && state.errorAt !== null
        ? { at: formatInstant(state.errorAt), message: state.error }
        : null,
    mirror: state?.mirror ?? null,
    bytes_today: state?.bytesToday ?? 0,
    quarantined: state?.quarantined ?? 0,
  };
}

/**
 * A loop that has died writes nothing: a feed that was current is late once its own expectation has passed. One that was
 * arriving may still be catching up; it is late when nothing was written of it for as long.
 */
function stateAt(state: FeedState | undefined, now: number): FeedStatus["state"] {
  if (!state || state.state === "off") return "waiting";
  const overdue = state.nextExpected !== null && now > state.nextExpected + LATE_AFTER_S;
  const isSilent = now > state.updatedAt + LATE_AFTER_S;
  const isLate = overdue && (state.state === "current" || (state.state === "growing" && isSilent));
  return isLate ? "late" : state.state;
}

const instant = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : formatInstant(Math.round(seconds));

/** Metrics of the clock and of each feed, which deploy/alerts.yml watches. A feed without a value has none. */
export function observeFeeds({ read }: Pick<FeedsStatus, "read">, metrics: Metrics): void {
  let reading: Promise<FeedsResponse> | undefined;
  /** One query for all metrics of a scrape. */
  const shared = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = (name: string, help: string, of: (feed: FeedStatus, now: number) => number | null) =>
    metrics.gauges(name, help, "feed", async () => {
      const { feeds, now } = await shared();
      const values = feeds.map((feed) => [feed.name, of(feed, parseInstant(now))] as const);
      return new Map(values.filter((entry): entry is [string, number] => entry[1] !== null));
    });
  const since = (instant: string | null, now: number) =>
    instant === null ? null : now - parseInstant(instant);
  metrics.gauge(
    "clock_error_seconds",
    "How far this machine's clock is ahead, by several hosts of feeds; NaN where that is not known",
    async () => (await shared()).clock_error_s ?? Number.NaN,
  );
  gauge(
    "feed_age_seconds",
    "Since the base time of the newest run, or the newest text",
    ({ age_s }) => age_s,
  );
  gauge("feed_overdue_seconds", "Since the next run was expected; negative before", (feed, now) =>
    since(feed.next_expected, now),
  );
  gauge("feed_success_age_seconds", "Since something was fetched last", (feed, now) =>
    since(feed.last_success, now),
  );
  gauge("feed_failing", "Whether the last attempt failed", ({ state }) => Number(state === "failing"));
  gauge("feed_quarantined", "Files that were refused and kept", ({ quarantined }) => quarantined);
  gauge("feed_today_bytes", "Fetched since midnight UTC", ({ bytes_today }) => bytes_today);
}
