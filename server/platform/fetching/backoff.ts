import type { Clock } from "#server/platform/clock.ts";
import { CutError, FetchError, ThrottledError } from "./errors.ts";
import type { Sleep } from "./sleep.ts";

const FIRST_S = 1;
const LONGEST_S = 30;
const JITTER = 0.25;

/** A host that names a later time is asked again all the same. */
const LATEST_S = 3600;

/** A longer Retry-After is not waited for here: the caller may have another mirror. */
const MAX_RETRY_AFTER_S = 60;

/** One object is not tried for longer, however much of it arrives between failures. */
const GIVE_UP_S = 3600;

export interface BackoffDeps {
  clock: Clock;
  sleep: Sleep;
  /** In [0, 1). */
  random: () => number;
}

export interface Pace {
  /** The first wait, seconds. Default: 1. */
  firstS?: number;
  /** A longer Retry-After is not waited for, seconds. Default: 60. */
  maxRetryAfterS?: number;
}

/** Waits between the attempts at one object: 1 s, doubled to 30 s, ±25 %, not shorter than what the host asks for. */
export class Backoff {
  readonly #deps: BackoffDeps;
  readonly #attempts: number;
  readonly #firstS: number;
  readonly #maxRetryAfterS: number;
  readonly #began: number;
  #failures = 0;

  constructor(
    deps: BackoffDeps,
    attempts: number,
    { firstS = FIRST_S, maxRetryAfterS = MAX_RETRY_AFTER_S }: Pace = {},
  ) {
    this.#deps = deps;
    this.#attempts = attempts;
    this.#firstS = firstS;
    this.#maxRetryAfterS = maxRetryAfterS;
    this.#began = deps.clock.now();
  }

  /** Something arrived: failures so far no longer count. */
  progress(): void {
    this.#failures = 0;
  }

  /**
   * Waits before the next attempt.
   *
   * @throws The failure, where another attempt is useless or there were enough.
   */
  async after(failure: unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { clock, sleep, random } = this.#deps;
    if (!(failure instanceof FetchError && failure.retry)) throw failure;
    const asked = failure instanceof ThrottledError ? (failure.retryAt ?? 0) - clock.now() : 0;
    this.#failures++;
    const spent = this.#failures >= this.#attempts || clock.now() - this.#began > GIVE_UP_S;
    if (spent || asked > this.#maxRetryAfterS) throw failure;
    const wait = Math.min(this.#firstS * 2 ** (this.#failures - 1), LONGEST_S);
    // What arrived before a cut is not lost, so the first attempt at the rest needs no long wait.
    const pause = failure instanceof CutError && this.#failures === 1 ? wait / 4 : wait;
    await sleep(Math.max(pause * (1 + JITTER * (2 * random() - 1)), asked), signal);
  }
}

/**
 * Reads a Retry-After header: seconds, or a date.
 *
 * @returns Unix seconds, at most an hour from now; undefined where there is none that can be read.
 */
export function retryTime(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const time = /^\s*\d+\s*$/.test(header) ? now + Number(header) : Date.parse(header) / 1000;
  return Number.isNaN(time) ? undefined : Math.min(Math.max(now, time), now + LATEST_S);
}
