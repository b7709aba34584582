import { taskHasMoreTime } from "#lib/contract/limits.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { UnavailableError } from "#server/platform/errors.ts";

/** Limits of what is computed at the same time. */
export interface QueueLimits {
  /**
   * Computations that run at once. One owner has at most `runningOfOwner` of them, so that others find a free place.
   */
  running: number;
  runningOfOwner: number;
  /** Maximum number of requests that wait for a place, in all and for one owner. */
  waiting: number;
  waitingOfOwner: number;
  /** An answer is sent, or refused, within this time from the arrival of its request. */
  answerSeconds: number;
  /** Memory of answers until their last byte is sent, bytes, in all and for one owner. By default it is not limited. */
  bytes?: number;
  bytesOfOwner?: number;
}

/** Describes a computation to a queue. */
export interface QueuedJob {
  owner: string;
  /** Memory of the answer, bytes; 0, the default, for a small one. */
  bytes?: number;
  /**
   * The caller aborts it when the client disconnects, and the queue when the time is over. The computation obeys its
   * signal.
   */
  aborter: AbortController;
  /** When the whole request had arrived, monotonic clock, milliseconds. Default: now. */
  arrived?: number;
}

/** @param hold Keeps the memory of the answer counted after the computation, until the returned function is called. */
export type Work<Result> = (hold: () => () => void) => Promise<Result>;

interface Owner {
  name: string;
  running: number;
  bytes: number;
  waiting: Entry[];
}

/** A request that waits or is computed. */
interface Entry {
  bytes: number;
  /** Monotonic clock, milliseconds. */
  deadline: number;
  start(): void;
  /** Ends the entry because its time is over. */
  expire(): void;
}

/** Share of an answer's time for waiting and computing; the rest is for sending it. */
export const COMPUTING_SHARE = 0.8;

/** Retry-After of a request that found no place, and of one whose computation took too long, seconds. */
const BUSY_RETRY_S = 5;
const LATE_RETRY_S = 30;

/** Reports why a computation is refused. */
export class OverloadError extends UnavailableError {
  override readonly name = "OverloadError";
}

/**
 * Adds to an error the advice to send the request as a task, which has more time.
 *
 * @param how Says in words how to send it.
 */
export function advised(error: unknown, how: string | undefined): unknown {
  if (!(error instanceof OverloadError) || how === undefined) return error;
  return new OverloadError(`${error.message} ${taskHasMoreTime}: send it ${how}.`, error.retryAfter);
}

/**
 * Runs a fixed number of computations at once, with owners in turn. A fixed number may wait, and one time limit covers
 * waiting and computing.
 */
export class Queue {
  running = 0;
  waiting = 0;
  /** Memory of the answers that are computed or sent. */
  bytes = 0;
  /** Requests that were refused, or ended at the time limit. */
  shed = 0;
  readonly limits: QueueLimits;
  /** Owners with work. The first one whose work fits has the next turn and then becomes the last. */
  readonly #owners = new Map<string, Owner>();
  readonly #entries = new Set<Entry>();
  /** When the timer that all entries share next checks the deadlines. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #elapsed: () => number;

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(limits: QueueLimits, elapsed = monotonicMs) {
    this.limits = limits;
    this.#elapsed = elapsed;
  }

  /**
   * Runs a computation when there is a place. If the time is over or the client leaves, the caller is told at once; the
   * place becomes free when the computation ends.
   *
   * @throws OverloadError if too many requests wait or the time is over; the signal's reason.
   */
  run<Result>(
    { owner: name, bytes = 0, aborter, arrived = this.#elapsed() }: QueuedJob,
    work: Work<Result>,
  ): Promise<Result> {
    const { limits } = this;
    const { signal } = aborter;
    const owner = this.#owners.get(name) ?? { name, running: 0, bytes: 0, waiting: [] };
    const deadline = arrived + 1000 * COMPUTING_SHARE * limits.answerSeconds;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (deadline <= this.#elapsed()) return reject(this.#late());
      const mustWait = owner.waiting.length > 0 || !this.#fits(owner, bytes);
      if (mustWait && (this.waiting >= limits.waiting || owner.waiting.length >= limits.waitingOfOwner))
        return reject(this.#busy());
      const entry: Entry = {
        bytes,
        deadline,
        start: () =>
          void this.#compute(owner, bytes, signal, work)
            .then(resolve, reject)
            .finally(() => {
              this.#entries.delete(entry);
              signal.removeEventListener("abort", onAbort);
            }),
        expire: () => aborter.abort(owner.waiting.includes(entry) ? this.#busy() : this.#late()),
      };
      const onAbort = () => {
        this.#leave(owner, entry);
        reject(signal.reason);
        this.#settle(owner);
      };
      this.#entries.add(entry);
      this.#wakeAt(deadline);
      signal.addEventListener("abort", onAbort, { once: true });
      if (!mustWait) return entry.start();
      this.#owners.set(name, owner);
      owner.waiting.push(entry);
      this.waiting++;
    });
  }

  async #compute<Result>(
    owner: Owner,
    bytes: number,
    signal: AbortSignal,
    work: Work<Result>,
  ): Promise<Result> {
    // The owner's next turn comes after those of all others.
    this.#owners.delete(owner.name);
    this.#owners.set(owner.name, owner);
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
      this.#settle(owner);
    };
    try {
      return await work(() => {
        isHeld = true;
        return release;
      });
    } catch (error) {
      isHeld = false;
      throw error;
    } finally {
      this.running--;
      owner.running--;
      // The caller of a late computation has already been answered.
      if (!isHeld || signal.aborted) release();
      this.#settle(owner);
    }
  }

  /** Removes an entry, whether it waits or runs. */
  #leave(owner: Owner, entry: Entry): void {
    this.#entries.delete(entry);
    const position = owner.waiting.indexOf(entry);
    if (position < 0) return;
    owner.waiting.splice(position, 1);
    this.waiting--;
  }

  /** Starts the next computations after a place or memory has become free. */
  #settle(owner: Owner): void {
    const isIdle = owner.running === 0 && owner.bytes === 0 && owner.waiting.length === 0;
    if (isIdle && this.#owners.get(owner.name) === owner) this.#owners.delete(owner.name);
    while (this.waiting > 0) {
      const next = this.#nextOwner();
      if (!next) return;
      this.waiting--;
      next.waiting.shift()!.start();
    }
  }

  #nextOwner(): Owner | undefined {
    for (const owner of this.#owners.values()) {
      const first = owner.waiting[0];
      if (first && this.#fits(owner, first.bytes)) return owner;
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
    // An answer larger than its owner's share is computed if the owner has no other.
    return (
      bytes === 0 ||
      ((owner.bytes === 0 || owner.bytes + bytes <= bytesOfOwner) &&
        (this.bytes === 0 || this.bytes + bytes <= all))
    );
  }

  /** Schedules a check of the deadlines, unless an earlier one is scheduled. */
  #wakeAt(time: number): void {
    if (time >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    const check = () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      const now = this.#elapsed();
      for (const entry of this.#entries) {
        if (entry.deadline <= now) entry.expire();
        else this.#wakeAt(entry.deadline);
      }
    };
    this.#timer = setTimeout(check, Math.ceil(time - this.#elapsed())).unref();
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
