import type { Measured } from "./lane-estimate.ts";
import { tooLate } from "./overload.ts";

/** Room for one computation. */
export interface Place {
  /**
   * To be called once. Settles as the computation does, or rejects when its time is over.
   *
   * @param work Its signal aborts when the client disconnects; where the lane stops computations also when the time is over.
   */
  compute<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** The answer was sent or dropped: its memory is free. May be called repeatedly. */
  release(): void;
}

export interface PlaceEvents {
  /** @param isWhole Whether it has run to its end: how long it took says something. */
  ended(place: LanePlace, isWhole: boolean): void;
  released(place: LanePlace): void;
}

/** What is computed in a place. Times are of the monotonic clock, milliseconds. */
export interface Work extends Measured {
  readonly owner: string;
  /** Memory of the answer; 0 where it is not counted. */
  readonly bytes: number;
  readonly started: number;
  /** When its time is over. */
  readonly deadline: number;
  /** See `Activity`. */
  readonly number: number;
}

/** A place in a lane, which tells the lane of its end. */
export class LanePlace implements Place {
  readonly work: Work;
  isExpired = false;
  /** When it is stopped: later than its time is over where nothing else is computed. */
  deadline: number;
  readonly #signal: AbortSignal;
  readonly #aborter: AbortController | undefined;
  readonly #events: PlaceEvents;
  #reject: ((error: Error) => void) | undefined;
  #holdsBytes: boolean;

  /** @param stops Whether the computation is stopped when its time is over. */
  constructor(work: Work, signal: AbortSignal, events: PlaceEvents, stops: boolean) {
    this.work = work;
    this.deadline = work.deadline;
    this.#holdsBytes = work.bytes > 0;
    this.#aborter = stops ? new AbortController() : undefined;
    this.#signal = this.#aborter ? AbortSignal.any([signal, this.#aborter.signal]) : signal;
    this.#events = events;
  }

  compute<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const fail = (error: unknown) => {
        this.#events.ended(this, this.isExpired);
        this.release();
        reject(error);
      };
      try {
        work(this.#signal).then((result) => {
          this.#events.ended(this, true);
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
    const error = tooLate(seconds);
    this.#aborter?.abort(error);
    this.#reject?.(error);
  }
}
