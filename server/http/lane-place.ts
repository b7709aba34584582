import { UnavailableError } from "#server/platform/errors.ts";

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

export interface PlaceEvents {
  ended(place: LanePlace): void;
  released(place: LanePlace): void;
}

/** What is computed in a place. */
export interface Work {
  readonly owner: string;
  /** Memory of the answer; 0 where it is not counted. */
  readonly bytes: number;
  /** What its duration grows with. */
  readonly size: number;
  /** Monotonic clock, milliseconds. */
  readonly started: number;
}

/** A place in a lane, which tells the lane of its end. */
export class LanePlace implements Place {
  readonly work: Work;
  isExpired = false;
  readonly #signal: AbortSignal;
  readonly #aborter: AbortController | undefined;
  readonly #events: PlaceEvents;
  #reject: ((error: Error) => void) | undefined;
  #holdsBytes: boolean;

  constructor(work: Work, signal: AbortSignal, events: PlaceEvents) {
    this.work = work;
    this.#holdsBytes = work.bytes > 0;
    // Small computations are not stopped: joining two signals would cost more than most of them.
    this.#aborter = this.#holdsBytes ? new AbortController() : undefined;
    this.#signal = this.#aborter ? AbortSignal.any([signal, this.#aborter.signal]) : signal;
    this.#events = events;
  }

  compute<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const fail = (error: unknown) => {
        this.#events.ended(this);
        this.release();
        reject(error);
      };
      try {
        work(this.#signal).then((result) => {
          this.#events.ended(this);
          // Its caller has been answered, and does not send it.
          if (this.isExpired) this.release();
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
    this.#events.released(this);
  }

  /** The caller is answered in time even where the computation does not end at once; its place is free when it does. */
  expire(seconds: number): void {
    this.isExpired = true;
    const error = new UnavailableError(
      `The answer was not ready within ${seconds} seconds. Please ask for less, or for a task, or try again later.`,
      30,
    );
    this.#aborter?.abort(error);
    this.#reject?.(error);
  }
}
