import { monotonicMs } from "./clock.ts";

const waiting: (() => void)[] = [];

/**
 * Yields to the event loop. Await it between the parts of long synchronous work. One caller continues in each round of
 * the event loop, in the order of the calls, so that other work waits for one part of one caller at most.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(nextPart);
  });
}

function nextPart(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextPart);
}

/** Longest synchronous work before it yields, milliseconds. */
const TURN_MS = 8;

/**
 * Returns a function that yields when the last yield was too long ago. Call it often, and await its promise where it
 * returns one.
 *
 * @param signal Its reason is thrown after a yield once it aborts.
 * @param elapsed Monotonic clock, milliseconds.
 */
export function turns(signal?: AbortSignal, elapsed = monotonicMs): () => Promise<void> | undefined {
  let since = elapsed();
  const turn = async () => {
    await nextTurn();
    signal?.throwIfAborted();
    since = elapsed();
  };
  return () => (elapsed() - since < TURN_MS ? undefined : turn());
}
