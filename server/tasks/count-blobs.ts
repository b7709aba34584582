import type { BlobEntry } from "#server/platform/blob-store.ts";
import { idOf, sourceOf } from "./converted-files.ts";
import type { TaskTables } from "./task.ts";

/**
 * Notes what blobs take in the rows that name them or what they were converted from; each is counted once, however often it
 * is noted. Blobs that no row names are not counted.
 */
export async function countBlobs(
  tables: Pick<TaskTables, "$executeRaw">,
  blobs: readonly Pick<BlobEntry, "key" | "bytes">[],
): Promise<void> {
  const isConverted = ({ key }: Pick<BlobEntry, "key">) => sourceOf(key) !== key;
  const stored = columnsOf(blobs.filter((blob) => !isConverted(blob)));
  if (stored.keys.length > 0)
    await tables.$executeRaw`
      WITH stored AS MATERIALIZED (
        SELECT * FROM unnest(${stored.keys}::text[], ${stored.ids}::uuid[], ${stored.bytes}::bigint[]) AS blob (key, owned_by, bytes)
      ), requests AS (
        UPDATE task SET request_bytes = bytes FROM stored
        WHERE task.id = owned_by AND request_file = stored.key AND request_bytes IS NULL
      )
      UPDATE idempotency_key SET answer_bytes = bytes FROM stored
      WHERE task_id = owned_by AND answer_file = stored.key AND answer_bytes IS NULL`;
  const converted = columnsOf(blobs.filter(isConverted));
  if (converted.keys.length > 0)
    // The last condition is checked again where another process has noted one of them meanwhile.
    await tables.$executeRaw`
      WITH made AS MATERIALIZED (
        SELECT * FROM unnest(${converted.keys}::text[], ${converted.sources}::text[], ${converted.ids}::uuid[],
          ${converted.bytes}::bigint[]) AS blob (key, source, owned_by, bytes)
      ), of_task AS MATERIALIZED (
        SELECT task.id AS made_of, array_agg(made.key) AS keys, sum(bytes)::bigint AS sum
        FROM made JOIN task ON task.id = owned_by
        WHERE result_file = source AND made.key <> ALL (task.converted) GROUP BY task.id
      ), of_answer AS MATERIALIZED (
        SELECT source, owned_by, array_agg(made.key) AS keys, sum(bytes)::bigint AS sum
        FROM made JOIN idempotency_key AS kept ON task_id = owned_by
        WHERE answer_file = source AND made.key <> ALL (kept.converted) GROUP BY source, owned_by
      ), results AS (
        UPDATE task SET converted = converted || keys, converted_bytes = converted_bytes + sum FROM of_task
        WHERE task.id = made_of AND NOT converted && keys
      )
      UPDATE idempotency_key SET converted = converted || keys, converted_bytes = converted_bytes + sum FROM of_answer
      WHERE task_id = owned_by AND answer_file = source AND NOT converted && keys`;
}

function columnsOf(blobs: readonly Pick<BlobEntry, "key" | "bytes">[]) {
  return {
    keys: blobs.map(({ key }) => key),
    sources: blobs.map(({ key }) => sourceOf(key)),
    ids: blobs.map(({ key }) => idOf(key)),
    bytes: blobs.map(({ bytes }) => bytes),
  };
}
