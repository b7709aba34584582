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
  /** Aborted by the caller when the client disconnects, by the queue when the time is over. The computation heeds its signal. */
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
  /** Its time is over. */
  expire(): void;
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
  readonly #entries = new Set<Entry>();
  /** When deadlines are looked at next, by a timer that all entries share. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #elapsed: () => number;

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(limits: QueueLimits, elapsed = monotonicMs) {
    this.limits = limits;
    this.#elapsed = elapsed;
  }

  /**
   * Computes when there is a place. Where the time is over, or the client leaves, the caller hears of it at once; the place
   * is free when the computation ends.
   *
   * @throws OverloadError where too many wait, or the time is over; the signal's reason.
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
    // Its next turn comes after those of all others.
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
      // The caller of one that was late has been answered already.
      if (!isHeld || signal.aborted) release();
      this.#settle(owner);
    }
  }

  /** Takes an entry out, also from those that wait. */
  #leave(owner: Owner, entry: Entry): void {
    this.#entries.delete(entry);
    const position = owner.waiting.indexOf(entry);
    if (position < 0) return;
    owner.waiting.splice(position, 1);
    this.waiting--;
  }

  /** Something is free: those whose turn it is start. */
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
    // An answer larger than its owner's share is computed where the owner has no other.
    return (
      bytes === 0 ||
      ((owner.bytes === 0 || owner.bytes + bytes <= bytesOfOwner) &&
        (this.bytes === 0 || this.bytes + bytes <= all))
    );
  }

  /** Looks at the deadlines at a time, unless it does so before. */
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
