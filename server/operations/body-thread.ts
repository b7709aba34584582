import type { Reply } from "#server/http/api-request.ts";
import { freeBytes, ownsMemory } from "#server/http/body-memory.ts";
import { HttpError } from "#server/http/reply.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { readTaskPoints, type TaskPoints } from "./point-bodies.ts";

// The entry module of the thread that reads large bodies.
lowerPriority();

export interface BodyInput {
  bytes: Uint8Array;
  /** Weather clock, Unix seconds. */
  now: number;
}

/** With the bytes, whose memory goes back to the caller. */
export type BodyOutcome = { body: TaskPoints; bytes: Uint8Array } | { refused: Reply };

export const readBody = workerFunction(
  async ({ bytes, now }: BodyInput): Promise<BodyOutcome> => {
    try {
      return { body: await readTaskPoints(bytes, now), bytes };
    } catch (error) {
      freeBytes(bytes);
      if (error instanceof HttpError) return { refused: error.reply };
      throw error;
    }
  },
  (outcome) => ("bytes" in outcome && ownsMemory(outcome.bytes) ? [outcome.bytes.buffer] : []),
);
