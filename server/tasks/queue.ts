import { Prisma } from "#prisma/generated/client.ts";
import { type Clock, dateAfter } from "#server/platform/clock.ts";
import { type Claim, claimedBy, endTask, failure } from "./end-task.ts";
import type { StoredBlob } from "./gzip-blobs.ts";
import type { TaskLimits } from "./store.ts";
import type { Task, TaskTables } from "./task.ts";

/** Seconds without a heartbeat after which a task is free for another worker. */
export const LEASE_SECONDS = 8;

/** The stored result of a task. */
export interface Result {
  file: string;
  stored: StoredBlob;
  synthetic: boolean;
  finishedAt: Date;
  expiresAt: Date;
}

/** The queue: the rows of tasks that are PENDING. Each change is one statement. */
export class TaskQueue {
  readonly #db: TaskTables;
  readonly #clock: Clock;
  readonly #rowSeconds: number;

  /** @param clock The machine's. */
  constructor(db: TaskTables, clock: Clock, { rowSeconds }: Pick<TaskLimits, "rowSeconds">) {
    this.#db = db;
    this.#clock = clock;
    this.#rowSeconds = rowSeconds;
  }

  /**
   * The waiting tasks in the order in which they will be claimed if no new ones come: each owner's oldest, then each
   * owner's second, and so on.
   */
  async waiting(): Promise<{ id: string }[]> {
    return this.#db.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM (
        SELECT id, created_at, row_number() OVER (PARTITION BY owner ORDER BY created_at, id) AS turn
        FROM task WHERE status = 'PENDING' AND (lease_until IS NULL OR lease_until <= ${dateAfter(this.#clock)})
      ) AS waiting ORDER BY turn, created_at, id`;
  }

  /**
   * Claims the next task: of the owner with the fewest running tasks, then of the owner served longest ago, the oldest. A
   * task whose worker sent no heartbeat within its lease is free again.
   */
  async claim(): Promise<Task | undefined> {
    const now = dateAfter(this.#clock);
    const free = Prisma.sql`status = 'PENDING' AND (lease_until IS NULL OR lease_until <= ${now}) AND available_at <= ${now}`;
    const rows = await this.#db.$queryRaw<{ id: string }[]>`
      WITH oldest AS MATERIALIZED (
        SELECT DISTINCT ON (owner) id, owner FROM task WHERE ${free} ORDER BY owner, created_at, id
      ), turns AS MATERIALIZED (
        SELECT id AS candidate,
          (SELECT count(*) FROM task r WHERE r.status = 'PENDING' AND r.owner = oldest.owner AND r.lease_until > ${now})
            AS running,
          (SELECT max(started_at) FROM task r WHERE r.owner = oldest.owner) AS served
        FROM oldest
      ), next AS (
        SELECT task.id AS taken FROM task JOIN turns ON candidate = task.id
        WHERE task.id = ANY (ARRAY(SELECT candidate FROM turns)) AND ${free}
        ORDER BY running, served NULLS FIRST, created_at, task.id
        LIMIT 1 FOR UPDATE OF task SKIP LOCKED
      )
      UPDATE task SET token = token + 1, started_at = ${now}, progress = 0, lease_until = ${dateAfter(this.#clock, LEASE_SECONDS)}
      FROM next WHERE task.id = taken
      RETURNING task.id::text AS id`;
    const id = rows[0]?.id;
    if (id === undefined) return undefined;
    return (await this.#db.task.findUnique({ where: { id } })) as Task;
  }

  /** Extends the lease of a claim. @returns false for a claim that was lost. */
  async beat({ id, token }: Claim, progress: number): Promise<boolean> {
    const changed = await this.#db.$executeRaw`
      UPDATE task SET lease_until = ${dateAfter(this.#clock, LEASE_SECONDS)}, progress = greatest(progress, ${progress}::float8)
      WHERE id = ${id}::uuid AND token = ${token}::int AND status = 'PENDING'`;
    return changed === 1;
  }

  /** Gives a claim back. @param wait Seconds before the task may be claimed again. @param failed Whether it ended in an error. */
  async release({ id, token }: Claim, wait: number, failed: boolean): Promise<void> {
    await this.#db.task.updateMany({
      where: { id, token, status: "PENDING" },
      data: {
        leaseUntil: null,
        progress: 0,
        availableAt: dateAfter(this.#clock, wait),
        ...(failed && { failures: { increment: 1 } }),
      },
    });
  }

  /** @returns false for a claim that was lost: its result must be dropped. */
  async succeed(claim: Claim, result: Result): Promise<boolean> {
    const { file, stored, synthetic, finishedAt, expiresAt } = result;
    const change = Prisma.sql`status = 'SUCCESS', progress = 1, finished_at = ${finishedAt}, expires_at = ${expiresAt},
      synthetic = ${synthetic}, result_file = ${file}, result_bytes = ${stored.bytes}::int, result_hash = ${stored.hash}`;
    return endTask(this.#db, claimedBy(claim), change, dateAfter(this.#clock));
  }

  /** @param reason For the owner. @returns false for a claim that was lost. */
  async fail(claim: Claim, reason: string): Promise<boolean> {
    const now = dateAfter(this.#clock);
    return endTask(this.#db, claimedBy(claim), failure(reason, now, this.#rowSeconds), now);
  }
}
