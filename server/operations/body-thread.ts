import type { Reply } from "#server/http/api-request.ts";
import { HttpError } from "#server/http/reply.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { workerFunction } from "#server/platform/worker-function.ts";
import { readTaskPoints, type TaskPoints } from "./point-bodies.ts";

// The entry module of the thread that reads large bodies.
lowerPriority();

export interface BodyInput {
  bytes: Uint8Array;
  /** Weather clock, Unix seconds. */
  now: number;
}

export type BodyOutcome = { body: TaskPoints } | { refused: Reply };

export const readBody = workerFunction(async ({ bytes, now }: BodyInput): Promise<BodyOutcome> => {
  try {
    return { body: await readTaskPoints(bytes, now) };
  } catch (error) {
    if (error instanceof HttpError) return { refused: error.reply };
    throw error;
  }
});
