import { DAY_S, startOfDay } from "#lib/time.ts";
import type { Clock, Sleep } from "#server/platform/clock.ts";
import { OutOfBudgetError, ThrottledError } from "./errors.ts";

/** How a host wants to be asked. */
export interface HostRules {
  /** Requests begun within any 60 seconds, at most. */
  requestsPerMinute?: number;
  /** Requests at the same time, at most. */
  atOnce?: number;
  /** Statuses that mean "too many requests" here, besides 429 and 503. */
  throttledBy?: readonly number[];
}

/** Of a host without a rule. */
export const REQUESTS_PER_MINUTE = 600;
const AT_ONCE = 8;

/** A longer closure is told to the caller, who may have another mirror; a shorter one is waited for. */
const LONGEST_WAIT_S = 60;

/** Lets requests to one host pass in the order in which they come, no faster than its rules allow. */
export class HostGate {
  readonly #host: string;
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #atOnce: number;
  /** When the last requests began; as many as may begin within a minute. */
  readonly #begun: number[] = [];
  readonly #perMinute: number;
  #running = 0;
  #waiting: (() => void)[] = [];
  #closed: ThrottledError | undefined;

  constructor(host: string, rules: HostRules, clock: Clock, sleep: Sleep) {
    this.#host = host;
    this.#clock = clock;
    this.#sleep = sleep;
    this.#atOnce = rules.atOnce ?? AT_ONCE;
    this.#perMinute = rules.requestsPerMinute ?? REQUESTS_PER_MINUTE;
  }

  /** No request passes until then: the host asked for it. */
  closeUntil(time: number, status: number): void {
    if (time > (this.#closed?.retryAt ?? 0)) this.#closed = new ThrottledError(this.#host, status, time);
  }

  /**
   * Waits for a place.
   *
   * @returns To be called once when the request has ended.
   * @throws ThrottledError while the host is closed for longer than a minute.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    await this.#place(signal);
    try {
      await this.#pace(signal);
    } catch (error) {
      this.#leave();
      throw error;
    }
    let left = false;
    return () => {
      if (!left) this.#leave();
      left = true;
    };
  }

  async #place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#atOnce) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(enter);
    });
  }

  /** The place goes to the next one who waits. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }

  async #pace(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const opens = this.#closed?.retryAt ?? now;
      if (this.#closed && opens - now > LONGEST_WAIT_S) throw this.#closed;
      const oldest = this.#begun.length < this.#perMinute ? undefined : this.#begun[0]!;
      const wait = Math.max(opens - now, oldest === undefined ? 0 : oldest + 60 - now);
      if (wait <= 0) break;
      await this.#sleep(wait, signal);
    }
    this.#begun.push(this.#clock.now());
    if (this.#begun.length > this.#perMinute) this.#begun.shift();
  }
}

/**
 * Adds bytes to those of a day, where they outlive the process.
 *
 * @param day Start of a UTC day, Unix seconds.
 * @param bytes 0 only asks.
 * @returns Bytes of that day, these included.
 */
export type Spend = (day: number, bytes: number) => number | Promise<number>;

/** What one request may still spend. */
interface Reservation {
  /** Reserves in all so many bytes. @throws OutOfBudgetError */
  raise(host: string, bytes: number): Promise<void>;
  /** Replaces what was reserved by what arrived. */
  settle(arrived: number): Promise<void>;
}

/** Bytes a UTC day. Requests that are under way count with what they are going to bring. */
export class ByteBudget {
  readonly #bytesADay: number;
  readonly #clock: Clock;
  readonly #spend: Spend;
  #reserved = 0;

  /** @param bytesADay Infinity for no limit. */
  constructor(bytesADay: number, clock: Clock, spend: Spend) {
    this.#bytesADay = bytesADay;
    this.#clock = clock;
    this.#spend = spend;
  }

  reservation(): Reservation {
    let reserved = 0;
    return {
      raise: async (host, bytes) => {
        const more = Math.max(0, bytes - reserved);
        // Before the wait, so that two requests at the same time see each other.
        this.#reserved += more;
        reserved += more;
        const spent = await this.#spend(this.#day(), 0);
        if (spent + this.#reserved <= this.#bytesADay && spent < this.#bytesADay) return;
        throw new OutOfBudgetError(host, this.#bytesADay, this.#day() + DAY_S);
      },
      settle: async (arrived) => {
        this.#reserved -= reserved;
        reserved = 0;
        if (arrived > 0) await this.#spend(this.#day(), arrived);
      },
    };
  }

  #day(): number {
    return startOfDay(this.#clock.now());
  }
}
