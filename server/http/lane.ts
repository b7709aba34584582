import { UnavailableError } from "#server/platform/errors.ts";

/** How much work of one kind is done at the same time. */
export interface LaneLimits {
  /** Computations that run at the same time; of one owner at most `runningOfOwner`, so that others find a free place. */
  running: number;
  runningOfOwner: number;
  /** Requests that wait for a place, in all and of one owner. */
  waiting: number;
  waitingOfOwner: number;
  /** Longest that one waits, and that it computes, milliseconds. */
  waitMs: number;
  runMs: number;
  /** Memory of answers from the start of their computation to their last byte sent, in all and of one owner. */
  bytes: number;
  bytesOfOwner: number;
}

/** Room for one computation. */
export interface Place {
  /**
   * To be called once. Settles as the computation does, or rejects when its time is over.
   *
   * @param work Its signal aborts when the client disconnects; of a large answer also when the time is over.
   */
  compute<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** The answer was sent or dropped: its memory is free. May be called repeatedly. */
  release(): void;
}

interface Waiting {
  bytes: number;
  start(): void;
}

interface Owner {
  running: number;
  bytes: number;
  waiting: Waiting[];
}

/** Weight of the newest duration in the mean. */
const NEWEST = 0.2;

/**
 * Bounds the work of one kind and shares it between owners: a free place goes to the owner who has waited for a turn
 * longest. Beyond the bounds, and where a place is not expected in time, a request is refused at once.
 */
export class Lane {
  readonly limits: LaneLimits;
  running = 0;
  waiting = 0;
  /** Requests that were refused or waited in vain. */
  shed = 0;
  #bytes = 0;
  /** Owners with work, in the order of their turns. */
  readonly #owners = new Map<string, Owner>();
  /** Mean duration of a computation, milliseconds. */
  #meanMs = 0;
  readonly #elapsed: () => number;

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(limits: LaneLimits, elapsed: () => number) {
    this.limits = limits;
    this.#elapsed = elapsed;
  }

  /** Bytes of the answers that are being computed or sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a place, at once where one is free.
   *
   * @param bytes Memory of the answer; 0 where it need not be counted.
   * @throws UnavailableError where the lane is full, or no place became free in time; the signal's reason.
   */
  enter(owner: string, bytes: number, signal: AbortSignal): Place | Promise<Place> {
    const state = this.#ownerOf(owner);
    if (state.waiting.length === 0 && this.#fits(state, bytes))
      return this.#place(owner, state, bytes, signal);
    const expectedMs = this.#expectedWaitMs(state);
    if (
      this.waiting >= this.limits.waiting ||
      state.waiting.length >= this.limits.waitingOfOwner ||
      expectedMs > this.limits.waitMs
    ) {
      this.#forget(owner, state);
      throw this.#refusal(expectedMs);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.waiting--;
      };
      const giveUp = (reason: unknown) => {
        leave();
        state.waiting.splice(state.waiting.indexOf(entry), 1);
        this.#forget(owner, state);
        reject(reason);
      };
      const onAbort = () => giveUp(signal.reason);
      const entry: Waiting = {
        bytes,
        start: () => {
          leave();
          resolve(this.#place(owner, state, bytes, signal));
        },
      };
      const timer = setTimeout(() => giveUp(this.#refusal(this.limits.waitMs)), this.limits.waitMs);
      signal.addEventListener("abort", onAbort, { once: true });
      state.waiting.push(entry);
      this.waiting++;
      if (signal.aborted) onAbort();
    });
  }

  /** Computes in a place, for answers whose memory need not be counted. */
  async run<Result>(
    owner: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const entered = this.enter(owner, 0, signal);
    const place = entered instanceof Promise ? await entered : entered;
    return place.compute(work);
  }

  #place(owner: string, state: Owner, bytes: number, signal: AbortSignal): Place {
    this.running++;
    state.running++;
    this.#bytes += bytes;
    state.bytes += bytes;
    return new LanePlace(this.limits.runMs, bytes > 0, signal, this.#elapsed, {
      ended: (ms) => {
        this.running--;
        state.running--;
        this.#meanMs += NEWEST * (ms - this.#meanMs);
        this.#next();
        this.#forget(owner, state);
      },
      released: () => {
        this.#bytes -= bytes;
        state.bytes -= bytes;
        this.#next();
        this.#forget(owner, state);
      },
      expired: () => {
        this.shed++;
      },
    });
  }

  /** Gives free places to those who wait: owners in turn, each owner's requests in their order. */
  #next(): void {
    if (this.waiting === 0) return;
    for (const [owner, state] of [...this.#owners]) {
      if (this.running >= this.limits.running) return;
      const first = state.waiting[0];
      if (!first || !this.#fits(state, first.bytes)) continue;
      state.waiting.shift();
      this.#owners.delete(owner);
      this.#owners.set(owner, state);
      first.start();
    }
  }

  #fits(state: Owner, bytes: number): boolean {
    const { limits } = this;
    return (
      this.running < limits.running &&
      state.running < limits.runningOfOwner &&
      // An answer larger than its owner's share is computed where the owner has no other.
      (bytes === 0 ||
        ((state.bytes === 0 || state.bytes + bytes <= limits.bytesOfOwner) &&
          (this.#bytes === 0 || this.#bytes + bytes <= limits.bytes)))
    );
  }

  /** Of a request that comes now, milliseconds. */
  #expectedWaitMs({ waiting }: Owner): number {
    const rounds = (this.waiting + 1) / this.limits.running;
    const roundsOfOwner = (waiting.length + 1) / this.limits.runningOfOwner;
    return Math.max(rounds, roundsOfOwner) * this.#meanMs;
  }

  #refusal(retryMs: number): UnavailableError {
    this.shed++;
    const seconds = Math.min(60, Math.max(1, Math.ceil(retryMs / 1000)));
    return new UnavailableError("The service is busy. Please try again later.", seconds);
  }

  #ownerOf(owner: string): Owner {
    let state = this.#owners.get(owner);
    if (!state) {
      state = { running: 0, bytes: 0, waiting: [] };
      this.#owners.set(owner, state);
    }
    return state;
  }

  #forget(owner: string, { running, bytes, waiting }: Owner): void {
    if (running === 0 && bytes === 0 && waiting.length === 0) this.#owners.delete(owner);
  }
}

interface PlaceEvents {
  ended(ms: number): void;
  released(): void;
  expired(): void;
}

class LanePlace implements Place {
  readonly #signal: AbortSignal;
  readonly #aborter: AbortController | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #started: number;
  readonly #elapsed: () => number;
  readonly #events: PlaceEvents;
  #reject: ((error: Error) => void) | undefined;
  #holdsBytes: boolean;

  constructor(
    runMs: number,
    holdsBytes: boolean,
    signal: AbortSignal,
    elapsed: () => number,
    events: PlaceEvents,
  ) {
    this.#holdsBytes = holdsBytes;
    // Small computations are not stopped: joining two signals would cost more than most of them.
    this.#aborter = holdsBytes ? new AbortController() : undefined;
    this.#signal = this.#aborter ? AbortSignal.any([signal, this.#aborter.signal]) : signal;
    this.#elapsed = elapsed;
    this.#started = elapsed();
    this.#events = events;
    this.#timer = setTimeout(() => this.#expire(runMs / 1000), runMs);
  }

  compute<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const fail = (error: unknown) => {
        this.#end();
        this.release();
        reject(error);
      };
      try {
        work(this.#signal).then((result) => {
          this.#end();
          resolve(result);
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  release(): void {
    if (!this.#holdsBytes) return;
    this.#holdsBytes = false;
    this.#events.released();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#events.ended(this.#elapsed() - this.#started);
  }

  /** The caller is answered in time even where the computation does not end at once; its place is free when it does. */
  #expire(seconds: number): void {
    this.#events.expired();
    const error = new UnavailableError(
      `The answer was not ready within ${seconds} seconds. Please ask for less, or for a task, or try again later.`,
      30,
    );
    this.#aborter?.abort(error);
    this.#reject?.(error);
  }
}
