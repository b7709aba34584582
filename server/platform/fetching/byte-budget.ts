import { DAY_S, startOfDay } from "#lib/time.ts";
import type { Clock } from "#server/platform/clock.ts";
import { OutOfBudgetError } from "./errors.ts";

/**
 * Adds bytes to those of a day, where they outlive the process.
 *
 * @param day Start of a UTC day, Unix seconds.
 * @param bytes 0 only asks.
 * @returns Bytes of that day, these included.
 */
export type Spend = (day: number, bytes: number) => number | Promise<number>;

/** What one request may still spend. */
export interface Reservation {
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
