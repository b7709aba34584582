import type { BlobStore } from "#server/platform/blob-store.ts";
import { isOfTask } from "./converted-files.ts";
import type { TaskTables } from "./task.ts";

/** Rows that are read together. */
const PAGE = 5000;

/** Names that are returned of those that are missing. */
const MAX_EXAMPLES = 5;

export interface NamedBlobs {
  /** Requests, results and kept answers that rows name. */
  named: number;
  missing: number;
  /** Some that are missing. */
  examples: string[];
}

/**
 * Compares the requests, results and kept answers that rows name with those that are stored, as after a restore. Pieces are
 * not compared: a task whose pieces are lost begins again.
 */
export async function compareNamedBlobs(
  tables: TaskTables,
  blobs: Pick<BlobStore, "list" | "getRange">,
): Promise<NamedBlobs> {
  const stored = new Set<string>();
  for await (const { key } of blobs.list()) if (isOfTask(key)) stored.add(key);
  const result: NamedBlobs = { named: 0, missing: 0, examples: [] };
  for await (const file of namedFiles(tables)) {
    result.named++;
    if (stored.has(file)) continue;
    // Written, or deleted with its row, since the list was read.
    if ((await blobs.getRange(file, 0, 1)) !== undefined || !(await isNamed(tables, file))) continue;
    result.missing++;
    if (result.examples.length < MAX_EXAMPLES) result.examples.push(file);
  }
  return result;
}

async function* namedFiles(tables: TaskTables): AsyncGenerator<string> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await tables.$queryRaw<{ id: string; request: string | null; result: string | null }[]>`
      SELECT id::text, request_file AS request, result_file AS result FROM task
      WHERE id > ${after}::uuid ORDER BY id LIMIT ${PAGE}::int`;
    for (const { request, result } of rows) {
      if (request !== null) yield request;
      if (result !== null) yield result;
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.id;
  }
  for (let after = { owner: "", key: "" }; ; ) {
    const rows = await tables.$queryRaw<{ owner: string; key: string; file: string | null }[]>`
      SELECT owner, key, answer_file AS file FROM idempotency_key
      WHERE (owner, key) > (${after.owner}, ${after.key}) ORDER BY owner, key LIMIT ${PAGE}::int`;
    for (const { file } of rows) if (file !== null) yield file;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
  }
}

/** A row names a file until it is deleted, and what is due may be deleted at any time. */
async function isNamed(tables: TaskTables, file: string): Promise<boolean> {
  const rows = await tables.$queryRaw<unknown[]>`
    SELECT 1 FROM task WHERE (request_file = ${file} OR result_file = ${file})
      AND (expires_at IS NULL OR expires_at > now())
    UNION ALL SELECT 1 FROM idempotency_key WHERE answer_file = ${file}`;
  return rows.length > 0;
}
