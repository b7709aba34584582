// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface Feed {
  /** As in the setting FEEDS. */
  name: string;
  /** What it brings. */
  title: string;
  /** The line that its licence asks for. */
  credit: string;
  kind: "fields" | "storms";
  /** Current: nothing newer is expected yet; growing: a newer run is arriving; waiting: nothing was fetched yet; late: what was expected has not come; failing: the last attempt failed. */
  state: "current" | "growing" | "waiting" | "late" | "failing";
  /** Base time of the newest run, or issue of the newest text. */
  newest_run: string | null;
  /** Seconds since newest_run, by the weather clock. */
  age_s: number | null;
  /** Steps of that run that are published. */
  steps: number;
  /** Steps of a whole run; 0 where steps do not apply. */
  steps_expected: number;
  /** Last time that is published. */
  valid_until: string | null;
  /** When something newer is expected. */
  next_expected: string | null;
  last_success: string | null;
  /** The newest failure since the last success, in words. */
  last_error: {
    at: string;
    message: string;
  } | null;
  /** Host that answered last. */
  mirror: string | null;
  /** Fetched since midnight UTC. */
  bytes_today: number;
  /** Files that were fetched, refused and kept for the operator. */
  quarantined: number;
}

export interface Feeds {
  /** The weather clock, by which ages count; without the error that is known of it. */
  now: string;
  /** How far the clock of this server is ahead, seconds, by the hosts of its feeds; negative where it is slow, 0 within five minutes, null where several hosts have not been heard lately. */
  clock_error_s: number | null;
  /** The feeds that are turned on; empty where none is. */
  feeds: Feed[];
  disk: {
    /** Published runs. */
    bytes: number;
    /** Null without a budget. */
    budget_bytes: number | null;
  };
}
