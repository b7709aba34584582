// A reader for storm-thread.test.ts that hangs or ends at texts that say so.

import { workerFunction } from "#server/platform/worker-pool.ts";
import { type DeriveInput, deriveStorms } from "#server/storms/derive.ts";

export const derive = workerFunction((input: DeriveInput) => {
  const [first] = input.texts;
  if (first?.text === "exit") process.exit(3);
  // For ever, and without the processor.
  if (first?.text === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return deriveStorms(input);
});
