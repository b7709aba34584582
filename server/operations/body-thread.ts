import { requests } from "#lib/contract/wire-schemas.ts";
import { ensureParsable } from "#server/http/parsable.ts";
import { HttpError } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { type BodyInput, type BodyOutcome, taskPoints } from "./bodies.ts";

// This is the entry module of the thread that reads large bodies.
lowerPriority();

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
