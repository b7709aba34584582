import type { Clock } from "#server/platform/clock.ts";
import type { IdempotentAnswers } from "./idempotency.ts";
import type { KeyRecord } from "./keys.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** What the wrappers need of the house. */
export interface RequestContext {
  keys: {
    /** undefined for an unknown, expired or revoked key. */
    find(text: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  };
  limiter: RateLimiter;
  /** What was answered under an Idempotency-Key; the header counts for nothing where absent. */
  answers?: IdempotentAnswers;
  /** The machine's clock. */
  clock: Clock;
  /** The weather's clock, which may be frozen. */
  weather: Clock;
  log: RequestLog;
}

/** The part of a logger that the door writes to. */
export interface RequestLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
