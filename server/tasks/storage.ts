import { Prisma } from "#prisma/generated/client.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { NoSpaceError, QuotaError } from "#server/platform/errors.ts";
import { idOf, sourceOf, withConverted } from "./converted-files.ts";
import { type FilesOfTask, filesOf } from "./store.ts";
import type { TaskLog, TaskTables } from "./task.ts";

export interface StorageLimits {
  /** Requests, results and kept answers of one owner, and of all. */
  bytesOfOwner: number;
  bytes: number;
  /** Free space of the disk below which nothing new is accepted. */
  minFreeBytes: number;
  /** Makes room by deleting the oldest results instead of refusing. */
  deleteOldest: boolean;
}

export interface StorageDeps {
  tables: Pick<TaskTables, "$queryRaw">;
  blobs: Pick<BlobStore, "delete">;
  limits: StorageLimits;
  /** Free space of the disk of the blobs, bytes. */
  freeBytes(): Promise<number>;
  log: TaskLog;
  /** Milliseconds that never jump. */
  monotonic?: () => number;
}

/** What is stored, as last measured. */
interface Usage {
  measuredAt: number;
  bytes: number;
  ofOwner: Map<string, number>;
  /** Of these, what is kept under Idempotency-Keys. */
  answersOfOwner: Map<string, number>;
}

interface Shortage {
  /** Whose results would have to go; absent for those of all. */
  owner?: string;
  bytes: number;
  /** What kept answers of that owner take. */
  answers: number;
  error: Error;
}

/** How long a measurement is used, milliseconds. */
const USAGE_MS = 5_000;

/**
 * Of the quota of an owner, what kept answers may take. Beyond it the oldest go: their requests are computed again, which
 * changes nothing, while a result that is refused is lost to its owner.
 */
const ANSWERS_SHARE = 0.25;

/** Where the oldest results make room, they make so much more than is needed that it lasts for a while. */
const ROOM = 0.1;

/** What the name of a kept answer, and of what it was converted to, has after its id. */
export const ANSWER = ".answer";

/** Pieces go with the end of their task. */
const bytesOfTask = Prisma.sql`(coalesce(request_bytes, 0) + coalesce(result_bytes, 0)::bigint + converted_bytes
  + CASE WHEN status = 'PENDING' THEN piece_bytes ELSE 0 END)`;
const bytesOfAnswer = Prisma.sql`(coalesce(answer_bytes, 0) + converted_bytes)`;

/**
 * Refuses new tasks and answers before the disk is full, by what the blobs take: those of an owner, those of all, and what
 * is free. Their sizes stand in the rows that name them, written by the same statement as the name, so that sums of rows
 * are exact whatever is killed. What was accepted before is not counted until it is written, and is never refused.
 */
export class Storage {
  readonly #deps: StorageDeps;
  readonly #monotonic: () => number;
  #usage: Usage | undefined;
  #measuring: Promise<Usage> | undefined;

  constructor(deps: StorageDeps) {
    this.#deps = deps;
    this.#monotonic = deps.monotonic ?? monotonicMs;
  }

  /**
   * Checks that there is room for something new. Kept answers of the owner are never in its way: the oldest go.
   *
   * @param owner Without one, only what is common to all is checked.
   * @throws QuotaError, NoSpaceError.
   */
  async ensureSpace(owner?: string): Promise<void> {
    let shortage = await this.#shortage(owner);
    if (shortage?.owner !== undefined && shortage.bytes <= shortage.answers) {
      await this.#deleteOldest(shortage, "answers");
      shortage = await this.#shortage(owner);
    }
    if (!shortage) return;
    if (!this.#deps.limits.deleteOldest) throw shortage.error;
    await this.#deleteOldest(shortage);
    const still = await this.#shortage(owner);
    if (still) throw still.error;
  }

  /**
   * Checks that there is room for an answer that is kept under an Idempotency-Key. Where all those of the owner have more
   * than their share, the oldest go.
   *
   * @throws QuotaError, NoSpaceError.
   */
  async ensureAnswerSpace(owner: string): Promise<void> {
    await this.ensureSpace(owner);
    const share = ANSWERS_SHARE * this.#deps.limits.bytesOfOwner;
    const answers = (await this.#measured()).answersOfOwner.get(owner) ?? 0;
    if (answers >= share) await this.#deleteOldest({ owner, bytes: answers - (1 - ROOM) * share }, "answers");
  }

  /** Bytes of all blobs that rows name, at most a few seconds old. */
  async heldBytes(): Promise<number> {
    return (await this.#measured()).bytes;
  }

  freeBytes(): Promise<number> {
    return this.#deps.freeBytes();
  }

  async #shortage(owner: string | undefined): Promise<Shortage | undefined> {
    const { minFreeBytes, bytes, bytesOfOwner } = this.#deps.limits;
    const free = await this.#deps.freeBytes();
    if (free < minFreeBytes)
      return { bytes: (1 + ROOM) * minFreeBytes - free, answers: 0, error: new NoSpaceError() };
    const usage = await this.#measured();
    const own = owner === undefined ? 0 : (usage.ofOwner.get(owner) ?? 0);
    if (own >= bytesOfOwner) {
      const error = new QuotaError(`${stored("Your keys have", own, bytesOfOwner)}. ${DELETE}`);
      const answers = usage.answersOfOwner.get(owner!) ?? 0;
      // What has to go at least, where kept answers are enough; else so much that it lasts for a while.
      const least = own - bytesOfOwner + 1;
      const wanted = own - (1 - ROOM) * bytesOfOwner;
      return { owner, bytes: least <= answers ? Math.min(wanted, answers) : wanted, answers, error };
    }
    if (usage.bytes >= bytes) {
      const error = new QuotaError(`${stored("All keys together have", usage.bytes, bytes)}. ${DELETE}`);
      return { bytes: usage.bytes - (1 - ROOM) * bytes, answers: 0, error };
    }
    return undefined;
  }

  async #measured(): Promise<Usage> {
    if (this.#usage && this.#monotonic() - this.#usage.measuredAt < USAGE_MS) return this.#usage;
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measure(): Promise<Usage> {
    const rows = await this.#deps.tables.$queryRaw<{ owner: string; bytes: number; answers: number }[]>`
      SELECT owner, sum(bytes)::float8 AS bytes, sum(answers)::float8 AS answers FROM (
        SELECT owner, sum(${bytesOfTask}) AS bytes, 0 AS answers FROM task
        WHERE request_file IS NOT NULL OR result_file IS NOT NULL GROUP BY owner
        UNION ALL
        SELECT owner, sum(${bytesOfAnswer}), sum(${bytesOfAnswer}) FROM idempotency_key
        WHERE answer_file IS NOT NULL GROUP BY owner
      ) AS stored GROUP BY owner`;
    const ofOwner = new Map(rows.map(({ owner, bytes }) => [owner, bytes]));
    const answersOfOwner = new Map(rows.map(({ owner, answers }) => [owner, answers]));
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    this.#usage = { measuredAt: this.#monotonic(), bytes, ofOwner, answersOfOwner };
    return this.#usage;
  }

  /**
   * Removes the oldest kept answers, then the oldest results, that together have so many bytes; nothing if all have less.
   *
   * @param of Kept answers alone, or both.
   */
  async #deleteOldest(
    { owner, bytes }: Pick<Shortage, "owner" | "bytes">,
    of: "answers" | "both" = "both",
  ): Promise<void> {
    const { tables, blobs, log } = this.#deps;
    const whose = Prisma.sql`(${owner ?? null}::text IS NULL OR owner = ${owner ?? null}::text)`;
    const oldest = await tables.$queryRaw<{ task: string; answer: boolean; bytes: number }[]>`
      SELECT task, answer, bytes::float8 FROM (
        SELECT task_id::text AS task, true AS answer, created_at AS since, ${bytesOfAnswer} AS bytes FROM idempotency_key
        WHERE answer_file IS NOT NULL AND ${whose}
        UNION ALL
        SELECT id::text, false, finished_at, ${bytesOfTask} FROM task
        WHERE status <> 'PENDING' AND result_file IS NOT NULL AND ${whose}
      ) AS stored WHERE answer OR ${of} = 'both' ORDER BY answer DESC, since, task`;
    let freed = 0;
    const going = oldest.filter((each) => {
      if (freed >= bytes) return false;
      freed += each.bytes;
      return true;
    });
    if (freed < bytes) return;
    const idsOf = (answer: boolean) => going.filter((each) => each.answer === answer).map(({ task }) => task);
    const answers = await tables.$queryRaw<{ answer_file: string }[]>`
      DELETE FROM idempotency_key WHERE task_id = ANY (${idsOf(true)}::uuid[]) AND answer_file IS NOT NULL
      RETURNING answer_file`;
    const results = await tables.$queryRaw<FilesOfTask[]>`
      UPDATE task SET expires_at = before.finished_at, request_file = NULL, result_file = NULL
      FROM task AS before WHERE task.id = before.id AND task.id = ANY (${idsOf(false)}::uuid[])
      RETURNING before.request_file, before.result_file`;
    const files = results.flatMap(filesOf).concat(answers.flatMap((row) => withConverted(row.answer_file)));
    for (const file of files) await blobs.delete(file);
    log.warn(
      { results: results.length, answers: answers.length, owner, bytes },
      "the oldest results or kept answers were deleted to make room",
    );
    this.#usage = this.#usage && { ...this.#usage, measuredAt: Number.NEGATIVE_INFINITY };
  }
}

const DELETE =
  "Delete results that are no longer needed with DELETE /task/{task_id}; GET /user/tasks lists them, oldest last. " +
  "They also expire by themselves, answers that are kept under an Idempotency-Key after a day.";

function stored(who: string, bytes: number, limit: number): string {
  const megabytes = (count: number) => Math.ceil(count / 2 ** 20);
  return `${who} ${megabytes(bytes)} MiB of requests, results and kept answers stored, of at most ${megabytes(limit)} MiB`;
}

/** Notes, once, what a blob takes that was converted from a result or a kept answer, in the row that names its source. */
export async function countConverted(
  tables: Pick<TaskTables, "$executeRaw">,
  { key, bytes }: { key: string; bytes: number },
): Promise<void> {
  const [id, source] = [idOf(key), sourceOf(key)];
  const change = Prisma.sql`converted = converted || ${key}::text, converted_bytes = converted_bytes + ${bytes}::bigint`;
  await tables.$executeRaw`
    WITH result AS (
      UPDATE task SET ${change} WHERE id = ${id}::uuid AND result_file = ${source} AND ${key}::text <> ALL (converted)
    )
    UPDATE idempotency_key SET ${change}
    WHERE task_id = ${id}::uuid AND answer_file = ${source} AND ${key}::text <> ALL (converted)`;
}
