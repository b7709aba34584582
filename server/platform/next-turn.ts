const waiting: (() => void)[] = [];
let isRunning = false;

/**
 * Lets the thread do what else is due. To be awaited between the parts of long synchronous work.
 *
 * One caller continues in each round of the event loop, in the order of the calls. With `setImmediate` alone all of them
 * would continue in the same round: thirty requests that each work for 10 ms would stop a small one for 300 ms.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isRunning) return;
    isRunning = true;
    setImmediate(next);
  });
}

function next(): void {
  const resolve = waiting.shift();
  if (waiting.length > 0) setImmediate(next);
  else isRunning = false;
  resolve?.();
}
