import type { Clock } from "#server/platform/clock.ts";
import type { RequestLog } from "./api-request.ts";
import type { IdempotentAnswers } from "./idempotency.ts";
import type { KeyRecord } from "./keys.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** What the pipeline needs of the app context. */
export interface RequestContext {
  keys: {
    /** undefined for an unknown, expired or revoked key. */
    find(text: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  };
  limiter: RateLimiter;
  /** Answers given under an Idempotency-Key; where absent the header is ignored. */
  answers?: IdempotentAnswers;
  /** The machine's clock. */
  clock: Clock;
  /** The weather's clock, which may be frozen. */
  weather: Clock;
  log: RequestLog;
}
