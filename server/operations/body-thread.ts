import { type RequestName, requests } from "#lib/contract/wire-schemas.ts";
import type { Reply } from "#server/http/api-request.ts";
import { HttpError } from "#server/http/reply.ts";
import { bodyReader, ensureParsable } from "#server/http/validation.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { taskPoints } from "./point-bodies.ts";

// The entry module of the thread that reads large bodies.
lowerPriority();

export interface BodyInput {
  name: RequestName;
  /** They own their memory. */
  bytes: Uint8Array;
  /** Weather clock, Unix seconds. */
  now: number;
}

/** What was read as JSON, with the bytes, whose memory goes back to the caller. */
export type BodyOutcome = { json: string; bytes: Uint8Array } | { refused: Reply };

export const readBody = workerFunction(
  async ({ name, bytes, now }: BodyInput): Promise<BodyOutcome> => {
    const reader = name === "ManyPointsRequest" ? taskPoints : bodyReader(requests[name]);
    try {
      ensureParsable(bytes);
      return { json: JSON.stringify(reader.read(bytes, now)), bytes };
    } catch (error) {
      if (error instanceof HttpError) return { refused: error.reply };
      throw error;
    }
  },
  (outcome) => ("bytes" in outcome ? [outcome.bytes.buffer as ArrayBuffer] : []),
);
