import type { BlobEntry, BlobStore } from "#server/platform/blob-store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { idOf, isOfTask, sourceOf, withConverted } from "./converted-files.ts";
import { countBlobs } from "./count-blobs.ts";
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

  /**
   * Deletes old blobs that no row names, and nothing else that lies beside them. Notes the sizes that rows lack: those of
   * earlier versions, and what a process that was killed had converted.
   */
  async sweepOrphans(): Promise<void> {
    const { tables, blobs, clock } = this.#deps;
    const before = clock.now() - ORPHAN_SECONDS;
    let found: BlobEntry[] = [];
    const flush = async () => {
      const { unnamed, uncounted } = await this.#compare(found);
      await countBlobs(tables, uncounted);
      for (const { key, modified } of unnamed) if (modified < before) await blobs.delete(key);
      found = [];
    };
    for await (const entry of blobs.list()) {
      if (isOfTask(entry.key)) found.push(entry);
      if (found.length === BATCH) await flush();
    }
    if (found.length > 0) await flush();
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
   * Which of these blobs no row names, nor what they were converted from, and which a row names without their size. Those of
   * a pending task may be its pieces. The name of a blob begins with the id of its task or answer.
   */
  async #compare(blobs: readonly BlobEntry[]): Promise<Record<"unnamed" | "uncounted", BlobEntry[]>> {
    const keys = blobs.map(({ key }) => key);
    const rows = await this.#deps.tables.$queryRaw<{ key: string; named: boolean }[]>`
      SELECT key, named FROM (
        SELECT blob.key, kept.owner IS NOT NULL OR task.status = 'PENDING' OR task.request_file = source
            OR task.result_file = source AS named,
          CASE WHEN blob.key = task.request_file THEN task.request_bytes IS NOT NULL
            WHEN blob.key = kept.answer_file THEN kept.answer_bytes IS NOT NULL
            WHEN source = task.result_file AND blob.key <> source THEN blob.key = ANY (task.converted)
            WHEN source = kept.answer_file THEN blob.key = ANY (kept.converted)
            ELSE true END AS counted
        FROM unnest(${keys}::text[], ${keys.map(sourceOf)}::text[], ${keys.map(idOf)}::uuid[]) AS blob (key, source, owned_by)
        LEFT JOIN task ON task.id = owned_by
        LEFT JOIN idempotency_key AS kept ON kept.task_id = owned_by AND kept.answer_file = source
      ) AS compared WHERE named IS NOT TRUE OR NOT counted`;
    const named = new Map(rows.map((row) => [row.key, row.named]));
    return {
      unnamed: blobs.filter(({ key }) => named.has(key) && !named.get(key)),
      uncounted: blobs.filter(({ key }) => named.get(key)),
    };
  }
}
