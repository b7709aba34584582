import { taskHasMoreTime } from "#lib/contract/limits.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";

/** How much is computed at the same time. */
export interface QueueLimits {
  /** Computations that run at once; of one owner at most `runningOfOwner`, so that others find a free place. */
  running: number;
  runningOfOwner: number;
  /** Requests that wait for a place, in all and of one owner. */
  waiting: number;
  waitingOfOwner: number;
  /** An answer is sent, or refused, within this time from the arrival of its request. */
  answerSeconds: number;
  /** Memory of answers until their last byte is sent, in all and of one owner. Default: not limited. */
  bytes?: number;
  bytesOfOwner?: number;
}

/** What a queue knows of a computation. */
export interface QueuedJob {
  owner: string;
  /** Memory of the answer; 0, the default, where it is small. */
  bytes?: number;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** When the whole request had arrived, monotonic clock, milliseconds. Default: now. */
  arrived?: number;
}

/** @param hold Keeps the memory of the answer counted after the computation, until the returned function is called. */
export type Work<Result> = (signal: AbortSignal, hold: () => () => void) => Promise<Result>;

interface Owner {
  running: number;
  bytes: number;
  waiting: { bytes: number; start(): void }[];
}

/** Share of the time of an answer in which it waits and is computed; the rest is for sending it. */
export const COMPUTING_SHARE = 0.8;

/** Retry-After of a request that found no place, and of one whose computation took too long, seconds. */
const BUSY_RETRY_S = 5;
const LATE_RETRY_S = 30;

/** Why a request that computes is refused. */
export class OverloadError extends UnavailableError {
  override readonly name = "OverloadError";
}

/** The error with the advice to send the request as a task, which has more time. @param how In words. */
export function advised(error: unknown, how: string | undefined): unknown {
  if (!(error instanceof OverloadError) || how === undefined) return error;
  return new OverloadError(`${error.message} ${taskHasMoreTime}: send it ${how}.`, error.retryAfter);
}

/** A fixed number of computations at once, of owners in turn; a fixed number that wait; one time limit for both. */
export class Queue {
  running = 0;
  waiting = 0;
  /** Memory of the answers that are computed or sent. */
  bytes = 0;
  /** Requests that were refused, or ended at the time limit. */
  shed = 0;
  readonly limits: QueueLimits;
  /** Those with work. The next turn is that of the first one whose work fits; it then becomes the last. */
  readonly #owners = new Map<string, Owner>();
  readonly #elapsed: () => number;

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(limits: QueueLimits, elapsed = monotonicMs) {
    this.limits = limits;
    this.#elapsed = elapsed;
  }

  /**
   * Computes when there is a place. A computation whose time is over is answered at once; its place is free when it ends.
   *
   * @throws OverloadError where too many wait, or the time is over; the signal's reason.
   */
  run<Result>(
    { owner: name, bytes = 0, signal, arrived = this.#elapsed() }: QueuedJob,
    work: Work<Result>,
  ): Promise<Result> {
    const { limits } = this;
    const owner = this.#owners.get(name) ?? { running: 0, bytes: 0, waiting: [] };
    const leftMs = arrived + 1000 * COMPUTING_SHARE * limits.answerSeconds - this.#elapsed();
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (leftMs <= 0) return reject(this.#late());
      const mustWait = owner.waiting.length > 0 || !this.#fits(owner, bytes);
      if (mustWait && (this.waiting >= limits.waiting || owner.waiting.length >= limits.waitingOfOwner))
        return reject(this.#busy());
      const aborter = new AbortController();
      const end = (reason: unknown) => {
        const position = owner.waiting.indexOf(entry);
        if (position >= 0) {
          owner.waiting.splice(position, 1);
          this.waiting--;
        }
        forget();
        aborter.abort(reason);
        reject(reason);
        this.#settle(name, owner);
      };
      const onAbort = () => end(signal.reason);
      const timer = setTimeout(
        () => end(owner.waiting.includes(entry) ? this.#busy() : this.#late()),
        leftMs,
      );
      const forget = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const entry = {
        bytes,
        start: () =>
          void this.#compute(name, owner, bytes, aborter.signal, work).then(resolve, reject).finally(forget),
      };
      signal.addEventListener("abort", onAbort, { once: true });
      owner.waiting.push(entry);
      this.waiting++;
      this.#owners.set(name, owner);
      this.#next();
    });
  }

  async #compute<Result>(
    name: string,
    owner: Owner,
    bytes: number,
    signal: AbortSignal,
    work: Work<Result>,
  ): Promise<Result> {
    this.running++;
    owner.running++;
    this.bytes += bytes;
    owner.bytes += bytes;
    let isHeld = false;
    let isFree = false;
    const release = () => {
      if (isFree) return;
      isFree = true;
      this.bytes -= bytes;
      owner.bytes -= bytes;
      this.#settle(name, owner);
    };
    try {
      return await work(signal, () => {
        isHeld = true;
        return release;
      });
    } catch (error) {
      isHeld = false;
      throw error;
    } finally {
      this.running--;
      owner.running--;
      // The caller of one that was late has been answered already.
      if (!isHeld || signal.aborted) release();
      this.#settle(name, owner);
    }
  }

  /** Something is free. */
  #settle(name: string, owner: Owner): void {
    const isIdle = owner.running === 0 && owner.bytes === 0 && owner.waiting.length === 0;
    if (isIdle && this.#owners.get(name) === owner) this.#owners.delete(name);
    this.#next();
  }

  #next(): void {
    while (this.waiting > 0) {
      const next = this.#nextOwner();
      if (!next) return;
      const [name, owner] = next;
      this.#owners.delete(name);
      this.#owners.set(name, owner);
      this.waiting--;
      owner.waiting.shift()!.start();
    }
  }

  #nextOwner(): [string, Owner] | undefined {
    for (const entry of this.#owners) {
      const first = entry[1].waiting[0];
      if (first && this.#fits(entry[1], first.bytes)) return entry;
    }
    return undefined;
  }

  #fits(owner: Owner, bytes: number): boolean {
    const {
      running,
      runningOfOwner,
      bytes: all = Number.POSITIVE_INFINITY,
      bytesOfOwner = all,
    } = this.limits;
    if (this.running >= running || owner.running >= runningOfOwner) return false;
    // An answer larger than its owner's share is computed where the owner has no other.
    return (
      bytes === 0 ||
      ((owner.bytes === 0 || owner.bytes + bytes <= bytesOfOwner) &&
        (this.bytes === 0 || this.bytes + bytes <= all))
    );
  }

  #busy(): OverloadError {
    this.shed++;
    return new OverloadError(
      `The service is busy. Please try again in ${BUSY_RETRY_S} seconds.`,
      BUSY_RETRY_S,
    );
  }

  #late(): OverloadError {
    this.shed++;
    const time = `${this.limits.answerSeconds} seconds`;
    return new OverloadError(
      `The answer was not ready within ${time}. Please ask for less, or try again later.`,
      LATE_RETRY_S,
    );
  }
}

/** Largest answers of the small queue, bytes. */
const MAX_SMALL_BYTES = 64 * 1024;

export const isSmall = (bytes: number): boolean => bytes <= MAX_SMALL_BYTES;
