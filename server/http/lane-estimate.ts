/** Weight of what ended before the newest computation. */
const OLDER = 0.8;

/** A computation that runs. */
interface Running {
  work: {
    size: number;
    /** Monotonic clock, milliseconds. */
    started: number;
  };
}

/**
 * How long computations take, learned from those that ended and from those that run longer than expected. Sizes have any
 * unit that durations grow with.
 */
export class LaneEstimate {
  #ms: number;
  #size: number;

  /** What is expected before anything was computed: milliseconds for a size. */
  constructor(first: { ms: number; size: number }) {
    this.#ms = first.ms;
    this.#size = first.size;
  }

  ended(size: number, ms: number): void {
    this.#ms = OLDER * this.#ms + ms;
    this.#size = OLDER * this.#size + size;
  }

  /** @returns Milliseconds for a size of 1. @param now Monotonic clock, milliseconds. */
  rate(running: Iterable<Running>, now: number): number {
    const rate = this.#ms / this.#size;
    let ms = this.#ms;
    let size = this.#size;
    for (const { work } of running) {
      const elapsed = now - work.started;
      if (elapsed <= rate * work.size) continue;
      ms += elapsed;
      size += work.size;
    }
    return ms / size;
  }
}
