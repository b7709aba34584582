/** Weight of what ended before the newest computation. */
const OLDER = 0.8;

/** What a computation is expected to take by. */
export interface Measured {
  /** Kinds of computations are learned apart: a byte of one takes longer than a byte of another. */
  readonly kind: string;
  /** Any unit that its duration grows with. */
  readonly size: number;
}

/** A computation that runs. */
interface Running {
  /** It is over its time, and ends as soon as it can: how long it takes says nothing more. */
  readonly isExpired?: boolean;
  work: Measured & {
    /** Monotonic clock, milliseconds. */
    readonly started: number;
  };
}

/** What is expected before anything was computed: milliseconds for a size. */
export interface Expected {
  ms: number;
  size: number;
}

/** How long computations take, learned from those that ended and from those that run longer than expected. */
export class LaneEstimate {
  readonly #first: Expected;
  readonly #firstOf: Readonly<Record<string, Expected>>;
  readonly #learned = new Map<string, Expected>();

  /** @param firstOf For kinds that differ from the others. */
  constructor(first: Expected, firstOf: Readonly<Record<string, Expected>> = {}) {
    this.#first = first;
    this.#firstOf = firstOf;
  }

  ended({ kind, size }: Measured, ms: number): void {
    const before = this.#of(kind);
    this.#learned.set(kind, { ms: OLDER * before.ms + ms, size: OLDER * before.size + size });
  }

  /** @returns Milliseconds of a computation. @param now Monotonic clock, milliseconds. */
  durations(running: Iterable<Running>, now: number): (of: Measured) => number {
    const sums = new Map<string, Expected>();
    for (const { isExpired, work } of running) {
      if (isExpired) continue;
      const elapsed = now - work.started;
      const known = this.#of(work.kind);
      if (elapsed <= (known.ms / known.size) * work.size) continue;
      const { ms, size } = sums.get(work.kind) ?? known;
      sums.set(work.kind, { ms: ms + elapsed, size: size + work.size });
    }
    return ({ kind, size }) => {
      const sum = sums.get(kind) ?? this.#of(kind);
      return (sum.ms / sum.size) * size;
    };
  }

  #of(kind: string): Expected {
    return this.#learned.get(kind) ?? this.#firstOf[kind] ?? this.#first;
  }
}
