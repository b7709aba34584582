import { setTimeout as wait } from "node:timers/promises";
import type { PrismaClient } from "#prisma/generated/client.ts";

/** A source of the current time, passed to everything below the entry points. */
export interface Clock {
  /** Unix seconds. */
  now(): number;
}

/** The machine's clock: rate limits, leases, expiry of keys, created_at. Unix seconds with milliseconds as fraction. */
export const realClock: Clock = { now: () => Date.now() / 1000 };

/**
 * The weather clock: time window, choice of dataset, age of data.
 *
 * @param frozenAt Unix seconds at which it stands still, for replays, demos and tests. By default it follows the
 *   machine's clock.
 * @returns A clock of whole seconds.
 */
export function weatherClock(frozenAt?: number): Clock {
  if (frozenAt === undefined) return { now: () => Math.floor(Date.now() / 1000) };
  return { now: () => frozenAt };
}

/** A clock may be set back by this much without a consequence, seconds. */
const MAX_STEP_S = 60;

/**
 * Whether a wait is over that was set by a clock which may have been wrong. An end that is further away than any such wait
 * lasts was written while the clock was ahead: it is past.
 *
 * @param endsAt,now By the same clock, Unix seconds.
 * @param longestS The longest wait of its kind, seconds.
 */
export function isOver(endsAt: number, now: number, longestS: number): boolean {
  return endsAt <= now || endsAt - now > longestS + MAX_STEP_S;
}

/** Monotonic milliseconds, for durations only: it has no date and never jumps. */
export function monotonicMs(): number {
  return performance.now();
}

/** A clock that shows the time of another machine. */
export interface SyncedClock extends Clock {
  /** Compares the clocks again. Never rejects: the clock continues as before if the other machine does not answer. */
  sync(): Promise<void>;
}

/** A comparison that takes longer is less exact than continuing without it. */
const MAX_MS = 200;

/**
 * The database's clock, for what rows expire by: the clocks of several replicas differ. Between comparisons it follows this
 * machine's monotonic clock, so that setting a clock changes nothing.
 *
 * @param read Unix seconds of the database.
 * @throws Error where the first comparison fails.
 */
export async function syncedClock(read: () => Promise<number>, elapsed = monotonicMs): Promise<SyncedClock> {
  const compare = async () => {
    const sent = elapsed();
    const seconds = await read();
    const received = elapsed();
    // The best estimate is that the database read its clock in the middle of the round trip.
    return { ahead: seconds - (sent + received) / 2000, took: received - sent };
  };
  let { ahead, took } = await compare();
  return {
    now: () => elapsed() / 1000 + ahead,
    async sync() {
      const next = await compare().catch(() => undefined);
      if (next && next.took <= Math.max(MAX_MS, took)) ({ ahead, took } = next);
    },
  };
}

export function databaseClock({ prisma }: { prisma: Pick<PrismaClient, "$queryRaw"> }): Promise<SyncedClock> {
  return syncedClock(async () => {
    const rows = await prisma.$queryRaw<{ now: number }[]>`
      SELECT extract(epoch FROM clock_timestamp())::float8 AS now`;
    return rows[0]!.now;
  });
}

/** Waits; rejects with the signal's reason when it is aborted. Replaced where time is simulated. */
export type Sleep = (seconds: number, signal: AbortSignal) => Promise<void>;

/** The longest wait that a timer of Node can do, milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** By the machine's clock. */
export const realSleep: Sleep = async (seconds, signal) => {
  signal.throwIfAborted();
  try {
    await wait(Math.min(seconds * 1000, LONGEST_MS), undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};
