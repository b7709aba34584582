import { monotonicMs } from "./clock.ts";

const waiting: (() => void)[] = [];
let isRunning = false;
/** When the last part of long work ended, and until when the next one may begin in this round of the event loop. */
let [ended, until] = [0, 0];

/** Long work takes no more of one round, milliseconds, so that others are answered within a few times as much. */
const ROUND_MS = 24;

/**
 * Lets the thread do what else is due. To be awaited between the parts of long synchronous work.
 *
 * Callers continue one after another, in the order of the calls: in each round of the event loop one, and more while they
 * have not had as long as everything else since the last round. With one alone, a second of work took twenty beside callers
 * who each ask for a few milliseconds as soon as they are answered; with all of them, thirty that each work for 10 ms would
 * stop a small request for 300 ms.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isRunning) return;
    isRunning = true;
    ended = monotonicMs();
    setImmediate(nextRound);
  });
}

function nextRound(): void {
  const now = monotonicMs();
  until = now + Math.min(ROUND_MS, now - ended);
  nextPart();
}

function nextPart(): void {
  waiting.shift()?.();
  // After all that the caller does before it waits again, for its next turn or for something else.
  queueMicrotask(() => process.nextTick(afterPart));
}

function afterPart(): void {
  const now = monotonicMs();
  if (waiting.length > 0 && now < until) {
    nextPart();
    return;
  }
  ended = now;
  if (waiting.length > 0) setImmediate(nextRound);
  else isRunning = false;
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
