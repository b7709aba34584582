import { Prisma } from "#prisma/generated/client.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { NoSpaceError, QuotaError } from "#server/platform/errors.ts";
import { idOf, sourceOf, withConverted } from "./converted-files.ts";
import type { TaskLog, TaskTables } from "./task.ts";

export interface StorageLimits {
  /** Most bytes of requests, results and stored answers, per owner and in all. */
  bytesOfOwner: number;
  bytes: number;
  /** Free space of the disk below which nothing new is accepted, bytes. */
  minFreeBytes: number;
}

export interface StorageDeps {
  tables: Pick<TaskTables, "$queryRaw">;
  blobs: Pick<BlobStore, "delete">;
  limits: StorageLimits;
  /** Free space of the disk of the blobs, bytes. */
  freeBytes(): Promise<number>;
  log: TaskLog;
  /** Monotonic milliseconds. */
  monotonic?: () => number;
}

/** Stored bytes, as last measured. */
interface Usage {
  measuredAt: number;
  bytes: number;
  ofOwner: Map<string, number>;
  /** Bytes of these that are stored under Idempotency-Keys. */
  answersOfOwner: Map<string, number>;
}

/** A measurement is used for this long, milliseconds. */
const USAGE_MS = 5_000;

/**
 * Share of an owner's quota that stored answers may take. Beyond it the oldest are deleted. Their requests would be
 * computed again, while a result that is refused is lost to its owner.
 */
const ANSWERS_SHARE = 0.25;

/** Share by which the oldest answers are deleted beyond what is needed, so that the space lasts for a while. */
const ROOM = 0.1;

/** Suffix after the id in the name of a stored answer, and of the files converted from it. */
export const ANSWER = ".answer";

/** Bytes of a task. Pieces are deleted when their task ends. */
const bytesOfTask = Prisma.sql`(coalesce(request_bytes, 0) + coalesce(result_bytes, 0)::bigint + converted_bytes
  + CASE WHEN status = 'PENDING' THEN piece_bytes ELSE 0 END)`;
const bytesOfAnswer = Prisma.sql`(coalesce(answer_bytes, 0) + converted_bytes)`;

/**
 * Refuses new tasks and answers before the disk is full, by the bytes of an owner, the bytes of all, and the free
 * space. The row that names a blob also has its size, written by the same statement, so that sums over rows stay exact
 * whatever is killed. Accepted requests count once they are written and are never refused later.
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
   * Checks that there is space for something new. Stored answers of the owner never prevent it: the oldest are deleted.
   *
   * @param owner Without an owner, only the common limits are checked.
   * @throws QuotaError, NoSpaceError.
   */
  async ensureSpace(owner?: string): Promise<void> {
    const { minFreeBytes, bytes, bytesOfOwner } = this.#deps.limits;
    if ((await this.#deps.freeBytes()) < minFreeBytes) throw new NoSpaceError();
    if (owner !== undefined) {
      const { ofOwner, answersOfOwner } = await this.#measured();
      const own = ofOwner.get(owner) ?? 0;
      const answers = answersOfOwner.get(owner) ?? 0;
      if (own - answers >= bytesOfOwner)
        throw new QuotaError(`${stored("Your keys have", own, bytesOfOwner)}. ${DELETE}`);
      if (own >= bytesOfOwner) await this.#deleteAnswers(owner, own - (1 - ROOM) * bytesOfOwner);
    }
    const all = (await this.#measured()).bytes;
    if (all >= bytes) throw new QuotaError(`${stored("All keys together have", all, bytes)}. ${DELETE}`);
  }

  /**
   * Checks that there is space for an answer under an Idempotency-Key. If the answers of the owner exceed their share,
   * the oldest are deleted.
   *
   * @throws QuotaError, NoSpaceError.
   */
  async ensureAnswerSpace(owner: string): Promise<void> {
    await this.ensureSpace(owner);
    const share = ANSWERS_SHARE * this.#deps.limits.bytesOfOwner;
    const answers = (await this.#measured()).answersOfOwner.get(owner) ?? 0;
    if (answers >= share) await this.#deleteAnswers(owner, answers - (1 - ROOM) * share);
  }

  /** Bytes of all blobs that rows name, at most a few seconds old. */
  async heldBytes(): Promise<number> {
    return (await this.#measured()).bytes;
  }

  freeBytes(): Promise<number> {
    return this.#deps.freeBytes();
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

  /** Deletes the oldest stored answers of an owner until they amount to at least this many bytes. */
  async #deleteAnswers(owner: string, bytes: number): Promise<void> {
    const { tables, blobs, log } = this.#deps;
    const answers = await tables.$queryRaw<{ answer_file: string }[]>`
      WITH oldest AS (
        SELECT task_id, sum(${bytesOfAnswer}) OVER (ORDER BY created_at, task_id) - ${bytesOfAnswer} AS before
        FROM idempotency_key WHERE answer_file IS NOT NULL AND owner = ${owner}
      )
      DELETE FROM idempotency_key AS kept USING oldest
      WHERE kept.task_id = oldest.task_id AND kept.answer_file IS NOT NULL AND before < ${bytes}::float8
      RETURNING answer_file`;
    for (const file of answers.flatMap((row) => withConverted(row.answer_file))) await blobs.delete(file);
    log.warn({ answers: answers.length, owner, bytes }, "the oldest kept answers were deleted to make room");
    this.#usage = undefined;
  }
}

const DELETE =
  "Delete results that are no longer needed with DELETE /task/{task_id}; GET /user/tasks lists them, oldest last. " +
  "They also expire automatically; answers stored under an Idempotency-Key expire after a day.";

function stored(who: string, bytes: number, limit: number): string {
  const megabytes = (count: number) => Math.ceil(count / 2 ** 20);
  return `${who} ${megabytes(bytes)} MiB of requests, results and answers stored, of at most ${megabytes(limit)} MiB`;
}

/** Records the size of a converted blob once, in the row that names its source. */
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
