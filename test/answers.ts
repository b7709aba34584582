import { Queue } from "#server/http/queue.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import {
  Conversions,
  type Convert,
  type CountConverted,
  conversionLimits,
  convertStored,
} from "#server/tasks/conversions.ts";
import { type AnswersDeps, IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";
import { countConverted } from "#server/tasks/storage.ts";

/** Conversions on the thread of the test, with limits as in production. */
export function testConversions(
  blobs: BlobStore,
  convert?: Convert,
  count: CountConverted = async () => {},
): Conversions {
  const here: Convert = (conversion, signal) => convertStored(blobs, conversion, signal);
  return new Conversions(blobs, convert ?? here, new Queue(conversionLimits), count);
}

/** Stored answers, converted on the thread of the test. */
export function testAnswers(
  tables: AnswersDeps["tables"],
  blobs: BlobStore,
  storage?: AnswersDeps["storage"],
): IdempotentAnswers {
  const conversions = testConversions(blobs, undefined, (blob) => countConverted(tables, blob));
  return new IdempotentAnswers({ tables, blobs, conversions, storage });
}
