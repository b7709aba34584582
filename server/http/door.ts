import type { KeptAnswers } from "#server/http/idempotency.ts";
import type { KeyRecord } from "#server/http/keys.ts";
import type { RateLimiter } from "#server/http/rate-limit.ts";
import type { Clock } from "#server/platform/clock.ts";

/** What the wrappers need of the house. */
export interface Door {
  keys: {
    /** undefined for an unknown, expired or revoked key. */
    find(text: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  };
  limiter: RateLimiter;
  /** What was answered under an Idempotency-Key; the header counts for nothing where absent. */
  answers?: KeptAnswers;
  /** The machine's clock. */
  clock: Clock;
  /** The weather's clock, which may be frozen. */
  weather: Clock;
  log: DoorLog;
}

/** The part of a logger that the door writes to. */
export interface DoorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
