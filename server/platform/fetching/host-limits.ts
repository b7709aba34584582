import { DAY_S, startOfDay } from "#lib/time.ts";
import { type Clock, isOver, type Sleep } from "#server/platform/clock.ts";
import { OutOfBudgetError, ThrottledError } from "./errors.ts";

export interface HostRules {
  /** Most requests begun within any 60 seconds. */
  requestsPerMinute?: number;
  /** Most requests at the same time. */
  atOnce?: number;
  /** Statuses that this host uses for "too many requests", besides 429 and 503. */
  throttledBy?: readonly number[];
}

/** Default limits for hosts that have no rule of their own. */
export const REQUESTS_PER_MINUTE = 600;
const AT_ONCE = 8;

const WINDOW_S = 60;

/** Longest time for which a host stays closed, even if it names a later one, seconds. */
export const LONGEST_CLOSURE_S = 3600;

/** A longer closure is thrown to the caller, who may have another mirror; a shorter one is waited for. Seconds. */
const LONGEST_WAIT_S = 60;

export type HostGate = ReturnType<typeof hostGate>;

/** Lets requests to one host pass in order of arrival, no faster than its rules allow. */
export function hostGate(host: string, rules: HostRules, clock: Clock, sleep: Sleep) {
  const { atOnce = AT_ONCE, requestsPerMinute = REQUESTS_PER_MINUTE } = rules;
  /** Start times of the last requests, as many as may begin within a minute. */
  const begun: number[] = [];
  const waiting = new Set<() => void>();
  let running = 0;
  let closed: ThrottledError | undefined;

  async function place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < atOnce) {
      running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    waiting.add(resolve);
    await promise.finally(() => signal.removeEventListener("abort", abort));
  }

  /** Passes the place to the next waiting request. */
  function leave(): void {
    const [next] = waiting;
    if (!next) running--;
    else {
      waiting.delete(next);
      next();
    }
  }

  async function pace(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = clock.now();
      // Times that were noted while the clock was ahead are discarded.
      if (closed && isOver(closed.retryAt ?? now, now, LONGEST_CLOSURE_S)) closed = undefined;
      if (isOver((begun.at(-1) ?? now) + WINDOW_S, now, WINDOW_S)) begun.length = 0;
      const opens = closed?.retryAt ?? now;
      if (closed && opens - now > LONGEST_WAIT_S) throw closed;
      const oldest = begun.length < requestsPerMinute ? undefined : begun[0]!;
      const wait = Math.max(opens - now, oldest === undefined ? 0 : oldest + WINDOW_S - now);
      if (wait <= 0) break;
      await sleep(wait, signal);
    }
    begun.push(clock.now());
    if (begun.length > requestsPerMinute) begun.shift();
  }

  return {
    /** Lets no request pass until the time that the host asked for, Unix seconds. */
    closeUntil(time: number, status: number): void {
      if (time > (closed?.retryAt ?? 0)) closed = new ThrottledError(host, status, time);
    },
    /**
     * Waits for a place.
     *
     * @returns A function to call once when the request has ended.
     * @throws ThrottledError while the host is closed for longer than a minute.
     */
    async enter(signal: AbortSignal): Promise<() => void> {
      await place(signal);
      try {
        await pace(signal);
      } catch (error) {
        leave();
        throw error;
      }
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}

/**
 * Adds bytes to the count of a day, which outlives the process.
 *
 * @param day Start of a UTC day, Unix seconds.
 * @param bytes 0 only reads the count.
 * @returns Bytes of that day, these included.
 */
export type Spend = (day: number, bytes: number) => number | Promise<number>;

export type ByteBudget = ReturnType<typeof byteBudget>;

/**
 * Limits the bytes of a UTC day. Requests in progress count with the bytes they are expected to bring.
 *
 * @param bytesADay Infinity for no limit.
 */
export function byteBudget(bytesADay: number, clock: Clock, spend: Spend) {
  let reservedByAll = 0;
  const today = () => startOfDay(clock.now());
  return {
    /** Opens a reservation for one request. It may grow while the body arrives. */
    reservation() {
      let reserved = 0;
      return {
        /** Raises the reservation to a total of `bytes`. @throws OutOfBudgetError */
        async raise(host: string, bytes: number): Promise<void> {
          const more = Math.max(0, bytes - reserved);
          // The reservation counts before the wait, so that two simultaneous requests see each other.
          reservedByAll += more;
          reserved += more;
          const spent = await spend(today(), 0);
          if (spent + reservedByAll <= bytesADay && spent < bytesADay) return;
          throw new OutOfBudgetError(host, bytesADay, today() + DAY_S);
        },
        /** Replaces the reservation by the bytes that arrived. */
        async settle(arrived: number): Promise<void> {
          reservedByAll -= reserved;
          reserved = 0;
          if (arrived > 0) await spend(today(), arrived);
        },
      };
    },
  };
}
