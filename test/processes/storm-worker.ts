// Functions for storm-thread.test.ts: a reader that hangs or ends at texts that say so.

import { workerFunction } from "#server/platform/worker-pool.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import type { DeriveRequest } from "#server/storms/feed-thread.ts";

export const derive = workerFunction(({ current, ...input }: DeriveRequest) =>
  deriveStorms(input, (index) => {
    Atomics.store(current, 0, index);
    const text = input.texts[index]?.text;
    const isLate = index < 0 && input.texts[0]?.text === "hang later";
    if (text === "exit") process.exit(3);
    // The thread waits forever, without using the processor.
    if (text === "hang" || isLate) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }),
);
