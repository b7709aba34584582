import { monotonicMs } from "./clock.ts";

const waiting: (() => void)[] = [];

/**
 * Lets the thread do what else is due. To be awaited between the parts of long synchronous work. In each round of the event
 * loop one caller continues, in the order of the calls: however many work, others wait for one part of one of them.
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

/** Synchronous work after which others get a turn, milliseconds. */
const TURN_MS = 8;

/**
 * Gives others a turn where the last one is long ago. To be called often; the promise has to be awaited where there is one.
 *
 * @param signal Whose reason is thrown after a turn.
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
