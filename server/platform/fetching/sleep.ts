import { setTimeout as wait } from "node:timers/promises";

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
