import type { BlobStore } from "#server/platform/blob-store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { idOf, isOfTask, sourceOf, withConverted } from "./converted-files.ts";
import { secondsFromNow } from "./end-task.ts";
import { type FilesOfTask, filesOf, KEY_SECONDS, type TaskLimits } from "./store.ts";
import type { TaskTables } from "./task.ts";

/** Rows of one sweep: the rest is for the next. */
const MAX_SWEPT = 500;

/** Blobs that no row names are deleted when they are this old, seconds: a younger one's row may not be written yet. */
const ORPHAN_SECONDS = 3_600;

/** Blobs that are looked up in one query. */
const BATCH = 1000;

export interface RetentionDeps {
  tables: TaskTables;
  blobs: Pick<BlobStore, "list" | "delete">;
  /** The machine's, as the times of blobs are. */
  clock: Clock;
  limits: Pick<TaskLimits, "rowSeconds">;
}

/** Deletes results, rows and keys that have expired, and blobs that killed processes left. */
export class Retention {
  readonly #deps: RetentionDeps;

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** Deletes what has expired. */
  async sweep(): Promise<void> {
    for (const file of await this.#sweepRows()) await this.#deps.blobs.delete(file);
  }

  /** Deletes old blobs that no row names, and nothing else that lies beside them. */
  async sweepOrphans(): Promise<void> {
    const { blobs, clock } = this.#deps;
    const before = clock.now() - ORPHAN_SECONDS;
    let old: string[] = [];
    const flush = async () => {
      for (const key of await this.#unnamed(old)) await blobs.delete(key);
      old = [];
    };
    for await (const { key, modified } of blobs.list()) {
      if (modified < before && isOfTask(key)) old.push(key);
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
   * Which of these files no row names, nor what they were converted from. Those of a pending task may be its pieces. The
   * name of a blob begins with the id of its task or answer.
   */
  async #unnamed(files: readonly string[]): Promise<string[]> {
    const rows = await this.#deps.tables.$queryRaw<{ file: string }[]>`
      SELECT file FROM unnest(${files.map(sourceOf)}::text[], ${files.map(idOf)}::uuid[]) AS old (file, owned_by)
      WHERE NOT EXISTS (SELECT 1 FROM task
          WHERE id = owned_by AND (status = 'PENDING' OR request_file = file OR result_file = file))
        AND NOT EXISTS (SELECT 1 FROM idempotency_key WHERE task_id = owned_by AND answer_file = file)`;
    const unnamed = new Set(rows.map(({ file }) => file));
    return files.filter((file) => unnamed.has(sourceOf(file)));
  }
}
