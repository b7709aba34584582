import type { FeedStatus, FeedsResponse } from "#lib/contract/feeds.ts";
import { formatInstant } from "#lib/time.ts";
import type { FeedState, FeedStates } from "#server/platform/feed-state.ts";

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
}

/** The feeds as GET /feeds answers them. */
export interface FeedsStatus {
  open: boolean;
  read(): Promise<FeedsResponse>;
}

/** So much later than expected nothing is amiss yet, seconds: services publish an hour late on some days. */
const PATIENCE_S = 3600;

export function feedsStatus({ open, enabled, states, diskBytes, budgetBytes, now }: FeedsDeps): FeedsStatus {
  return {
    open,
    read: async () => {
      const [known, bytes] = await Promise.all([states.all(), diskBytes()]);
      const byName = new Map(known.map((state) => [state.name, state]));
      return {
        feeds: enabled.map((description) => statusOf(description, byName.get(description.name), now())),
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

/** A loop that has died writes nothing: what it said last is late once its own expectation has passed. */
function stateAt(state: FeedState | undefined, now: number): FeedStatus["state"] {
  if (!state || state.state === "off") return "waiting";
  const overdue = state.nextExpected !== null && now > state.nextExpected + PATIENCE_S;
  return overdue && state.state === "current" ? "late" : state.state;
}

const instant = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : formatInstant(Math.round(seconds));
