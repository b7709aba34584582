import type { Limit } from "#lib/contract/limit.ts";
import type { RateLimiter } from "#server/http/rate-limit.ts";
import type { Clock } from "#server/platform/clock.ts";

/** Who calls: the key that was found, without its secret. */
export interface Caller {
  id: string;
  /** Holds for every group in place of the groups' own limits. */
  limit?: Limit;
}

/** What the wrappers need of the house. */
export interface Door {
  keys: {
    /** undefined for an unknown, expired or revoked key; compares in constant time. */
    find(secret: string): Caller | undefined | Promise<Caller | undefined>;
  };
  limiter: RateLimiter;
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
