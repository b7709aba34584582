import type { BlobEntry, BlobStore } from "#server/platform/blob-store.ts";
import { secondsFromNow } from "#server/platform/claimed-rows.ts";
import type { Clock } from "#server/platform/clock.ts";
import { idOf, isOfTask, sourceOf, withConverted } from "./converted-files.ts";
import { type FilesOfTask, filesOf, KEY_SECONDS } from "./store.ts";
import type { TaskLimits, TaskTables } from "./task.ts";

/** Most rows of one sweep. The next sweep continues. */
const MAX_SWEPT = 500;

/** Age at which blobs that no row names are deleted, seconds. The row of a younger one may not be written yet. */
const ORPHAN_SECONDS = 3_600;

/** Number of blobs that one query looks up. */
const BATCH = 1000;

export interface RetentionDeps {
  tables: TaskTables;
  blobs: Pick<BlobStore, "list" | "delete">;
  /** The machine's clock, because the times of blobs are the machine's. */
  clock: Clock;
  limits: Pick<TaskLimits, "rowSeconds">;
}

/** Deletes expired results, rows and keys, and blobs that killed processes left. */
export class Retention {
  readonly #deps: RetentionDeps;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  async sweep(): Promise<void> {
    for (const file of await this.#sweepRows()) await this.#deps.blobs.delete(file);
  }

  /** Deletes old blobs that no row names, and no foreign object beside them. */
  async sweepOrphans(): Promise<void> {
    const { blobs, clock } = this.#deps;
    const before = clock.now() - ORPHAN_SECONDS;
    let old: BlobEntry[] = [];
    const flush = async () => {
      for (const key of await this.#unnamed(old)) await blobs.delete(key);
      old = [];
    };
    for await (const entry of blobs.list()) {
      if (isOfTask(entry.key) && entry.modified < before) old.push(entry);
      if (old.length === BATCH) await flush();
    }
    if (old.length > 0) await flush();
  }

  /** @returns Files that no row names any more. */
  async #sweepRows(): Promise<string[]> {
    const { tables: db, limits } = this.#deps;
    const expired = await db.$queryRaw<FilesOfTask[]>`
      WITH due AS (
        SELECT id, request_file, result_file FROM task
        WHERE expires_at <= now() AND (request_file IS NOT NULL OR result_file IS NOT NULL)
        ORDER BY expires_at LIMIT ${MAX_SWEPT}::int FOR UPDATE SKIP LOCKED
      )
      UPDATE task SET request_file = NULL, result_file = NULL FROM due
      WHERE task.id = ANY (ARRAY(SELECT id FROM due)) AND task.id = due.id
      RETURNING due.request_file, due.result_file`;
    const gone = await db.$queryRaw<FilesOfTask[]>`
      DELETE FROM task WHERE id = ANY (ARRAY(
        SELECT id FROM task WHERE status <> 'PENDING' AND finished_at <= ${secondsFromNow(-limits.rowSeconds)}
        ORDER BY finished_at LIMIT ${MAX_SWEPT}::int FOR UPDATE SKIP LOCKED
      ))
      RETURNING request_file, result_file`;
    const keys = await db.$queryRaw<{ answer_file: string | null }[]>`
      DELETE FROM idempotency_key WHERE created_at <= ${secondsFromNow(-KEY_SECONDS)} RETURNING answer_file`;
    return [...expired, ...gone]
      .flatMap(filesOf)
      .concat(keys.flatMap(({ answer_file }) => (answer_file === null ? [] : withConverted(answer_file))));
  }

  /**
   * Keys of blobs that no row names. Any blob of a pending task may be one of its pieces and counts as named. A
   * converted blob is named once its size is recorded. The name of a blob begins with the id of its task or answer.
   */
  async #unnamed(blobs: readonly BlobEntry[]): Promise<string[]> {
    const keys = blobs.map(({ key }) => key);
    const rows = await this.#deps.tables.$queryRaw<{ key: string }[]>`
      SELECT blob.key
      FROM unnest(${keys}::text[], ${keys.map(sourceOf)}::text[], ${keys.map(idOf)}::uuid[]) AS blob (key, source, owned_by)
      LEFT JOIN task ON task.id = owned_by
      LEFT JOIN idempotency_key AS kept ON kept.task_id = owned_by AND kept.answer_file = source
      WHERE (task.status = 'PENDING' OR task.request_file = blob.key
        OR (task.result_file = source AND (blob.key = source OR blob.key = ANY (task.converted)))
        OR blob.key = kept.answer_file OR blob.key = ANY (kept.converted)) IS NOT TRUE`;
    return rows.map(({ key }) => key);
  }
}

/** Number of rows that are read together. */
const PAGE = 50_000;

/** Number of missing blobs that are listed by name. */
const MAX_EXAMPLES = 5;

export interface NamedBlobs {
  /** Number of requests, results and stored answers that rows name. */
  named: number;
  missing: number;
  /** Some of the missing blobs. */
  examples: string[];
}

/**
 * Compares the requests, results and stored answers that rows name with the stored blobs, for example after a restore.
 * Pieces are not compared, because a task whose pieces are lost begins again.
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
    // The blob was written, or deleted with its row, since the list was read.
    if ((await blobs.getRange(file, 0, 1)) !== undefined || !(await isNamed(tables, file))) continue;
    result.missing++;
    if (result.examples.length < MAX_EXAMPLES) result.examples.push(file);
  }
  return result;
}

async function* namedFiles(tables: TaskTables): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const rows = await tables.$queryRaw<{ file: string }[]>`
      SELECT file FROM (
        SELECT request_file AS file FROM task UNION ALL SELECT result_file FROM task
        UNION ALL SELECT answer_file FROM idempotency_key
      ) AS named WHERE file > ${after} ORDER BY file LIMIT ${PAGE}::int`;
    for (const { file } of rows) yield file;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.file;
  }
}

/** Whether a row still names a file. Anything that is due may be deleted at any time. */
async function isNamed(tables: TaskTables, file: string): Promise<boolean> {
  const rows = await tables.$queryRaw<unknown[]>`
    SELECT 1 FROM task WHERE (request_file = ${file} OR result_file = ${file})
      AND (expires_at IS NULL OR expires_at > now())
    UNION ALL SELECT 1 FROM idempotency_key WHERE answer_file = ${file}`;
  return rows.length > 0;
}
