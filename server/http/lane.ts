import { UnavailableError } from "#server/platform/errors.ts";
import { Ticker } from "#server/platform/ticker.ts";
import { LaneEstimate } from "./lane-estimate.ts";
import { LanePlace, type Place, type PlaceEvents } from "./lane-place.ts";

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
  /** What a computation takes, before any has ended. Its size is its bytes; this one where they are not counted. */
  expected: { ms: number; size: number };
}

interface Waiting {
  size: number;
  bytes: number;
  /** When it has waited too long. */
  until: number;
  start(): void;
  refuse(error: UnavailableError): void;
}

interface Owner {
  running: number;
  bytes: number;
  /** Counts turns in all: who has had none for longest is next. */
  lastTurn: number;
  waiting: Waiting[];
}

/** How often times are checked, milliseconds. */
const TICK_MS = 250;

/** Owners without work are remembered up to this number. */
const MAX_OWNERS = 256;

/**
 * Bounds the work of one kind and shares it between owners: a free place goes to the owner whose last turn is longest ago.
 * Beyond the bounds, and where a place is not expected in time, a request is refused at once; later where what runs turns
 * out to take longer.
 */
export class Lane {
  readonly limits: LaneLimits;
  waiting = 0;
  /** Requests that were refused or waited in vain. */
  shed = 0;
  #bytes = 0;
  #turns = 0;
  readonly #running = new Set<LanePlace>();
  readonly #owners = new Map<string, Owner>();
  readonly #estimate: LaneEstimate;
  readonly #elapsed: () => number;
  readonly #ticker = new Ticker(() => this.#check(), TICK_MS);

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(limits: LaneLimits, elapsed: () => number) {
    this.limits = limits;
    this.#elapsed = elapsed;
    this.#estimate = new LaneEstimate(limits.expected);
  }

  /** Computations that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Bytes of the answers that are being computed or sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a place, at once where one is free.
   *
   * @param bytes Memory of the answer; 0 where it need not be counted.
   * @throws UnavailableError where the lane is full, or no place is expected in time; the signal's reason.
   */
  enter(owner: string, bytes: number, signal: AbortSignal): Place | Promise<Place> {
    const state = this.#ownerOf(owner);
    this.#ticker.start();
    if (state.waiting.length === 0 && this.#fits(state, bytes)) return this.#place(owner, bytes, signal);
    const { limits } = this;
    const size = bytes || limits.expected.size;
    const now = this.#elapsed();
    const rate = this.#estimate.rate(this.#running, now);
    const expectedMs = this.#expectedWaitMs(owner, state.waiting.length, rate, now);
    if (
      this.waiting >= limits.waiting ||
      state.waiting.length >= limits.waitingOfOwner ||
      expectedMs > limits.waitMs ||
      (expectedMs > 0 && expectedMs + rate * size > limits.waitMs + limits.runMs)
    ) {
      throw this.#refusal(expectedMs);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener("abort", onAbort);
        this.waiting--;
        const position = state.waiting.indexOf(entry);
        if (position >= 0) state.waiting.splice(position, 1);
      };
      const refuse = (reason: unknown) => {
        leave();
        reject(reason);
      };
      const onAbort = () => refuse(signal.reason);
      const entry: Waiting = {
        size,
        bytes,
        until: now + limits.waitMs,
        start: () => {
          leave();
          resolve(this.#place(owner, bytes, signal));
        },
        refuse,
      };
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

  /** Shared by all places. */
  readonly #events: PlaceEvents = {
    ended: (place) => {
      const { owner, size, started } = place.work;
      this.#running.delete(place);
      this.#ownerOf(owner).running--;
      this.#estimate.ended(size, this.#elapsed() - started);
      this.#next();
    },
    released: ({ work: { owner, bytes } }) => {
      this.#bytes -= bytes;
      this.#ownerOf(owner).bytes -= bytes;
      this.#next();
    },
  };

  #place(owner: string, bytes: number, signal: AbortSignal): Place {
    const state = this.#ownerOf(owner);
    state.running++;
    state.lastTurn = ++this.#turns;
    this.#bytes += bytes;
    state.bytes += bytes;
    const work = { owner, bytes, size: bytes || this.limits.expected.size, started: this.#elapsed() };
    const place = new LanePlace(work, signal, this.#events);
    this.#running.add(place);
    return place;
  }

  /** Gives free places to those who wait: owners in turn, each owner's requests in their order. */
  #next(): void {
    while (this.waiting > 0 && this.#running.size < this.limits.running) {
      let first: Owner | undefined;
      for (const state of this.#owners.values()) {
        const waits = state.waiting[0];
        if (waits && (!first || state.lastTurn < first.lastTurn) && this.#fits(state, waits.bytes))
          first = state;
      }
      if (!first) return;
      first.waiting[0]!.start();
    }
  }

  #fits(state: Owner, bytes: number): boolean {
    const { limits } = this;
    return (
      this.#running.size < limits.running &&
      state.running < limits.runningOfOwner &&
      // An answer larger than its owner's share is computed where the owner has no other.
      (bytes === 0 ||
        ((state.bytes === 0 || state.bytes + bytes <= limits.bytesOfOwner) &&
          (this.#bytes === 0 || this.#bytes + bytes <= limits.bytes)))
    );
  }

  /**
   * Until a request starts, milliseconds: what runs ends, its owner's requests before it are computed, and each other owner
   * has as many turns.
   *
   * @param position Of the request among those of its owner that wait.
   */
  #expectedWaitMs(owner: string, position: number, rate: number, now: number): number {
    let all = 0;
    let own = 0;
    for (const { work } of this.#running) {
      const left = Math.max(0, rate * work.size - (now - work.started));
      all += left;
      if (work.owner === owner) own += left;
    }
    for (const [name, { waiting }] of this.#owners) {
      const isOwn = name === owner;
      const before = Math.min(waiting.length, isOwn ? position : position + 1);
      for (let turn = 0; turn < before; turn++) {
        all += rate * waiting[turn]!.size;
        if (isOwn) own += rate * waiting[turn]!.size;
      }
    }
    const { running, runningOfOwner } = this.limits;
    return Math.max(all / running, own / runningOfOwner);
  }

  /** Ends what is over its time, and refuses who waits in vain. @returns Whether there is work. */
  #check(): boolean {
    const now = this.#elapsed();
    const runsMs = this.limits.runMs;
    for (const place of this.#running) {
      if (place.isExpired || now - place.work.started < runsMs) continue;
      this.shed++;
      place.expire(runsMs / 1000);
    }
    if (this.waiting > 0) this.#shedWaiting(now);
    return this.#running.size > 0 || this.waiting > 0;
  }

  #shedWaiting(now: number): void {
    const rate = this.#estimate.rate(this.#running, now);
    for (const [owner, { waiting }] of this.#owners) {
      // From the end: who is refused no longer stands before others.
      for (let position = waiting.length - 1; position >= 0; position--) {
        const { until, refuse } = waiting[position]!;
        const expectedMs = this.#expectedWaitMs(owner, position, rate, now);
        if (now >= until || now + expectedMs > until) refuse(this.#refusal(expectedMs));
      }
    }
  }

  #refusal(retryMs: number): UnavailableError {
    this.shed++;
    const seconds = Math.min(60, Math.max(1, Math.ceil(retryMs / 1000)));
    const time = seconds === 1 ? "a second" : `${seconds} seconds`;
    return new UnavailableError(`The service is busy. Please try again in ${time}.`, seconds);
  }

  #ownerOf(owner: string): Owner {
    let state = this.#owners.get(owner);
    if (!state) {
      if (this.#owners.size >= MAX_OWNERS) this.#forgetIdle();
      state = { running: 0, bytes: 0, lastTurn: 0, waiting: [] };
      this.#owners.set(owner, state);
    }
    return state;
  }

  #forgetIdle(): void {
    for (const [owner, { running, bytes, waiting }] of this.#owners) {
      if (running === 0 && bytes === 0 && waiting.length === 0) this.#owners.delete(owner);
    }
  }
}
