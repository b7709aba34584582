import type { BlobStore } from "#server/platform/blob-store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { Conversions } from "#server/tasks/conversions.ts";
import { convertStored } from "#server/tasks/convert-stored.ts";
import { type AnswersDeps, IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";

/** Kept answers, converted on the thread of the test. */
export function testAnswers(
  tables: AnswersDeps["tables"],
  clock: Clock,
  blobs: BlobStore,
  storage?: AnswersDeps["storage"],
): IdempotentAnswers {
  const conversions = new Conversions(blobs, (conversion, signal) =>
    convertStored(blobs, conversion, signal),
  );
  return new IdempotentAnswers({ tables, clock, blobs, conversions, storage });
}
