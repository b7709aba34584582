import { monotonicMs } from "#server/platform/clock.ts";
import { Ticker } from "#server/platform/ticker.ts";
import type { Activity } from "./activity.ts";
import { type Expected, LaneEstimate, type Measured } from "./lane-estimate.ts";
import { LanePlace, type Place, type PlaceEvents, type Work } from "./lane-place.ts";
import { tooBusy, tooLate } from "./overload.ts";

/** How much work of one kind is done at the same time. */
export interface LaneLimits {
  /** Computations that run at the same time; of one owner at most `runningOfOwner`, so that others find a free place. */
  running: number;
  runningOfOwner: number;
  /** Requests that wait for a place, in all and of one owner. */
  waiting: number;
  waitingOfOwner: number;
  /** An answer is sent, or refused, within this time from the arrival of its request: what it does not wait it may compute. */
  answerSeconds: number;
  /** Whether a computation is stopped when its time is over: for one of a few milliseconds that costs more than it saves. */
  stops: boolean;
  /** Memory of answers from the start of their computation to their last byte sent, in all and of one owner. */
  bytes: number;
  bytesOfOwner: number;
  /** What a computation takes, before any has ended. Its size is its bytes; this one where they are not counted. */
  expected: Expected;
  /** The same of single kinds. */
  expectedOf?: Readonly<Record<string, Expected>>;
}

/** What else a lane may know of a request. */
export interface Entering {
  /** How long computations take is learned for each kind. */
  kind?: string;
  /** When the request was there as a whole, monotonic clock, milliseconds. Default: now. */
  arrived?: number;
}

interface Waiting extends Measured {
  bytes: number;
  /** When its time is over. */
  deadline: number;
  start(): void;
  refuse(error: Error): void;
}

interface Owner {
  running: number;
  bytes: number;
  /** Counts turns in all: who has had none for longest is next. */
  lastTurn: number;
  waiting: Waiting[];
}

/** How often times are checked, milliseconds. */
const TICK_MS = 100;

/**
 * Share of the time of an answer in which it waits and is computed. The rest is for sending it: on two processors with a load
 * of ten an answer is on its way up to half a second later.
 */
export const COMPUTING_SHARE = 0.8;

/** What has the service to itself is no overload: it is not stopped before so long, milliseconds. */
const ALONE_MS = 90_000;

/** Owners without work are remembered up to this number. */
const MAX_OWNERS = 256;

/**
 * Bounds the work of one kind and shares it between owners: a free place goes to the owner whose last turn is longest ago.
 * Each request has one time limit from its arrival. Beyond the bounds, and where its end is not expected in time, it is
 * refused at once; later where what runs turns out to take longer. A lane that does nothing refuses nothing, so that a wrong
 * expectation corrects itself; and what has all lanes to itself while its time goes by is computed to its end, unless
 * another owner waits for its place with a request that can still be in time.
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
  readonly #answerMs: number;
  readonly #activity: Activity | undefined;

  /**
   * @param elapsed Monotonic clock, milliseconds.
   * @param activity Of all lanes of the service; without it nothing is known to run alone.
   */
  constructor(limits: LaneLimits, elapsed = monotonicMs, activity?: Activity) {
    this.limits = limits;
    this.#elapsed = elapsed;
    this.#activity = activity;
    this.#answerMs = 1000 * COMPUTING_SHARE * limits.answerSeconds;
    this.#estimate = new LaneEstimate(limits.expected, limits.expectedOf);
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
   * @throws OverloadError where the lane is full, or no answer is expected in time; the signal's reason.
   */
  enter(
    owner: string,
    bytes: number,
    signal: AbortSignal,
    { kind = "", arrived }: Entering = {},
  ): Place | Promise<Place> {
    const state = this.#ownerOf(owner);
    const { limits } = this;
    const now = this.#elapsed();
    const deadline = (arrived ?? now) + this.#answerMs;
    const size = bytes || limits.expected.size;
    const isFree = state.waiting.length === 0 && this.#fits(state, bytes);
    this.#ticker.start();
    if (now >= deadline) throw this.#late();
    // What is not counted takes so little that nothing has to be expected of it.
    if (isFree && (bytes === 0 || this.#running.size === 0))
      return this.#place(owner, { bytes, kind, size, deadline }, signal);
    const durationOf = this.#estimate.durations(this.#running, now);
    const waitMs = isFree ? 0 : this.#expectedWaitMs(owner, state.waiting.length, durationOf, now);
    const endMs = waitMs + durationOf({ kind, size });
    if (now + endMs > deadline) throw this.#refusal(waitMs || endMs);
    if (isFree) return this.#place(owner, { bytes, kind, size, deadline }, signal);
    if (this.waiting >= limits.waiting || state.waiting.length >= limits.waitingOfOwner)
      throw this.#refusal(waitMs);
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
        kind,
        size,
        bytes,
        deadline,
        start: () => {
          leave();
          resolve(this.#place(owner, entry, signal));
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
    entering?: Entering,
  ): Promise<Result> {
    const entered = this.enter(owner, 0, signal, entering);
    const place = entered instanceof Promise ? await entered : entered;
    return place.compute(work);
  }

  /** Shared by all places. */
  readonly #events: PlaceEvents = {
    ended: (place, isWhole) => {
      const { owner, started } = place.work;
      this.#running.delete(place);
      this.#activity?.end();
      this.#ownerOf(owner).running--;
      if (isWhole) this.#estimate.ended(place.work, this.#elapsed() - started);
      this.#next();
    },
    released: ({ work: { owner, bytes } }) => {
      this.#bytes -= bytes;
      this.#ownerOf(owner).bytes -= bytes;
      this.#next();
    },
  };

  #place(
    owner: string,
    { bytes, kind, size, deadline }: Pick<Waiting, "bytes" | "kind" | "size" | "deadline">,
    signal: AbortSignal,
  ): Place {
    const state = this.#ownerOf(owner);
    state.running++;
    state.lastTurn = ++this.#turns;
    this.#bytes += bytes;
    state.bytes += bytes;
    const work = {
      owner,
      bytes,
      kind,
      size,
      started: this.#elapsed(),
      deadline,
      number: this.#activity?.begin() ?? 0,
    };
    const place = new LanePlace(work, signal, this.#events, this.limits.stops);
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

  /** @param freed What else is free: places and memory. */
  #fits(state: Owner, bytes: number, freed = { running: 0, bytes: 0 }): boolean {
    const { limits } = this;
    const taken = this.#bytes - freed.bytes;
    return (
      this.#running.size - freed.running < limits.running &&
      state.running < limits.runningOfOwner &&
      // An answer larger than its owner's share is computed where the owner has no other.
      (bytes === 0 ||
        ((state.bytes === 0 || state.bytes + bytes <= limits.bytesOfOwner) &&
          (taken === 0 || taken + bytes <= limits.bytes)))
    );
  }

  /**
   * Until a request starts, milliseconds: what runs ends, its owner's requests before it are computed, and each other owner
   * has as many turns.
   *
   * @param position Of the request among those of its owner that wait.
   */
  #expectedWaitMs(
    owner: string,
    position: number,
    durationOf: (of: Measured) => number,
    now: number,
  ): number {
    let all = 0;
    let own = 0;
    for (const { work } of this.#running) {
      const left = Math.max(0, durationOf(work) - (now - work.started));
      all += left;
      if (work.owner === owner) own += left;
    }
    for (const [name, { waiting }] of this.#owners) {
      const isOwn = name === owner;
      const before = Math.min(waiting.length, isOwn ? position : position + 1);
      for (let turn = 0; turn < before; turn++) {
        const duration = durationOf(waiting[turn]!);
        all += duration;
        if (isOwn) own += duration;
      }
    }
    const { running, runningOfOwner } = this.limits;
    return Math.max(all / running, own / runningOfOwner);
  }

  /** Ends what is over its time, and refuses who waits in vain. @returns Whether there is work. */
  #check(): boolean {
    const now = this.#elapsed();
    // First: what runs alone does not give way to a request that is refused.
    if (this.waiting > 0) this.#shedWaiting(now);
    for (const place of this.#running) {
      const isAwaited = this.#isAwaited(place.work);
      if (place.isExpired || now < (isAwaited ? place.work.deadline : place.deadline)) continue;
      const aloneUntil = place.work.started + ALONE_MS;
      if (!isAwaited && now < aloneUntil && this.#activity?.isAlone(place.work.number)) {
        place.deadline = aloneUntil;
        continue;
      }
      this.shed++;
      place.expire(this.limits.answerSeconds);
    }
    return this.#running.size > 0 || this.waiting > 0;
  }

  /** Whether a request of another owner would start if this one ended. */
  #isAwaited({ owner, bytes }: Work): boolean {
    const freed = { running: 1, bytes };
    return [...this.#owners].some(([name, state]) => {
      const first = state.waiting[0];
      return name !== owner && first !== undefined && this.#fits(state, first.bytes, freed);
    });
  }

  #shedWaiting(now: number): void {
    const durationOf = this.#estimate.durations(this.#running, now);
    for (const [owner, { waiting }] of this.#owners) {
      // From the end: who is refused no longer stands before others.
      for (let position = waiting.length - 1; position >= 0; position--) {
        const entry = waiting[position]!;
        const waitMs = this.#expectedWaitMs(owner, position, durationOf, now);
        if (now + waitMs + durationOf(entry) > entry.deadline) entry.refuse(this.#refusal(waitMs));
      }
    }
  }

  #refusal(retryMs: number): Error {
    this.shed++;
    return tooBusy(retryMs);
  }

  #late(): Error {
    this.shed++;
    return tooLate(this.limits.answerSeconds);
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
