// Functions for worker-pool.test.ts.

import { ProcessingError } from "#server/platform/errors.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";

class TooLargeError extends ProcessingError {
  override readonly name = "TooLargeError";
}

export const succeed = workerFunction((input, { progress }) => {
  progress(0.5);
  return { input };
});

export const refuse = workerFunction(() => {
  throw new TooLargeError("for its owner");
});

export const crash = workerFunction(() => {
  throw new TypeError("for the log");
});

export const transfer = workerFunction(
  (length: number) => new Uint8Array(length).fill(7),
  ({ buffer }) => [buffer],
);

export const exit = workerFunction(() => process.exit(3));

export const exhaustMemory = workerFunction(() =>
  Array.from({ length: 1e4 }, (_, index) => Array.from({ length: 1e5 }, () => ({ index }))),
);

export const runUntilStopped = workerFunction(async (_input, { signal }) => {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  throw signal.reason;
});

export const ignoreStop = workerFunction(() => new Promise(() => setInterval(() => {}, 1000)));
