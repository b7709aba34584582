import type { Idempotency, TaskKind } from "#lib/contract/task.ts";
import { Prisma } from "#prisma/generated/client.ts";
import { secondsFromNow } from "#server/platform/claimed-rows.ts";
import { withConverted } from "./converted-files.ts";
import { endTask, failure, ownedBy, rankOf } from "./queue.ts";
import type { Task, TaskLimits, TaskTables } from "./task.ts";

export interface NewTask {
  id: string;
  owner: string;
  kind: TaskKind;
  name: string | null;
  size: number;
  /** Weather clock when the task was accepted, Unix seconds. */
  weatherNow: number;
  receiveMail: boolean;
  mailTo: string | null;
  requestFile: string;
  /** Size of the request's blob, bytes. */
  requestBytes: number;
}

/**
 * Reason why a task was not accepted: this owner has too many pending tasks, all owners together have, or a concurrent
 * request with the same Idempotency-Key was first.
 */
export type NotTaken = "owner is full" | "full" | "key is taken";

/** Time for which an Idempotency-Key is remembered, seconds. */
export const KEY_SECONDS = 86_400;

const CANCELLED = "Task cancelled by user";

/**
 * Stores the tasks of each owner as rows. `TaskQueue` has the worker's side of the same rows. Each change is one
 * statement.
 */
export class TaskStore {
  readonly #db: TaskTables;
  readonly limits: TaskLimits;

  constructor(db: TaskTables, limits: TaskLimits) {
    this.#db = db;
    this.limits = limits;
  }

  /** Adds a task with its Idempotency-Key. It is durable when this returns. */
  async submit(task: NewTask, idempotency?: Idempotency): Promise<"taken" | NotTaken> {
    const { pendingOfOwner, pending } = this.limits;
    const key = idempotency?.key ?? null;
    // The count stops at the limit; at the default of 10,000 it takes two milliseconds.
    const counted = (limit: number, whose = Prisma.empty) => Prisma.sql`(SELECT count(*) FROM (
        SELECT 1 FROM task WHERE status = 'PENDING' ${whose} LIMIT ${limit}::int
      ) AS counted)::int`;
    const rows = await this.#db.$queryRaw<{ own: number; everybody: number; taken: boolean }[]>`
      WITH counted AS (
        SELECT ${counted(pendingOfOwner, Prisma.sql`AND owner = ${task.owner}`)} AS own, ${counted(pending)} AS everybody
      ), noted AS (
        INSERT INTO idempotency_key (owner, key, hash, task_id, created_at)
        SELECT ${task.owner}, ${key}::text, ${idempotency?.hash ?? ""}, ${task.id}::uuid, now()
        FROM counted
        WHERE own < ${pendingOfOwner}::int AND everybody < ${pending}::int AND ${key}::text IS NOT NULL
        ON CONFLICT (owner, key) DO UPDATE
          SET hash = excluded.hash, task_id = excluded.task_id, answer_file = NULL, answer_bytes = NULL,
            converted = '{}', converted_bytes = 0, created_at = excluded.created_at
          WHERE idempotency_key.created_at <= ${secondsFromNow(-KEY_SECONDS)}
        RETURNING 1
      ), made AS (
        INSERT INTO task (id, owner, kind, name, status, size, created_at, weather_now, receive_mail, mail_to,
          request_file, request_bytes, available_at, rank)
        SELECT ${task.id}::uuid, ${task.owner}, ${task.kind}, ${task.name}::text, 'PENDING', ${task.size}::int, now(),
          ${new Date(task.weatherNow * 1000)}, ${task.receiveMail}, ${task.mailTo}::text, ${task.requestFile},
          ${task.requestBytes}::int, now(),
          ${rankOf(Prisma.sql`${task.kind}::text`, Prisma.sql`${task.size}::int`, Prisma.sql`now()`)}
        FROM counted
        WHERE own < ${pendingOfOwner}::int AND everybody < ${pending}::int
          AND (${key}::text IS NULL OR EXISTS (SELECT 1 FROM noted))
        RETURNING 1
      )
      SELECT own, everybody, EXISTS (SELECT 1 FROM made) AS taken FROM counted`;
    const found = rows[0]!;
    if (found.taken) return "taken";
    if (found.own >= pendingOfOwner) return "owner is full";
    return found.everybody >= pending ? "full" : "key is taken";
  }

  /** Finds a task of this owner. Another owner's task is treated like one that never existed. */
  async find(owner: string, id: string): Promise<Task | undefined> {
    const row = await this.#db.task.findFirst({ where: { id, owner } });
    return (row as Task | null) ?? undefined;
  }

  /** @returns Seconds until an ended task expires, by the database's clock; 0 or negative once it has expired. */
  async secondsLeft(id: string): Promise<number> {
    const rows = await this.#db.$queryRaw<{ left: number }[]>`
      SELECT extract(epoch FROM expires_at - now())::float8 AS left FROM task WHERE id = ${id}::uuid`;
    return rows[0]?.left ?? 0;
  }

  /** Newest first. @param before Position at which the previous page ended. */
  async list(
    owner: string,
    status: Task["status"] | undefined,
    limit: number,
    before?: { createdAt: Date; id: string },
  ): Promise<Task[]> {
    const rows = await this.#db.task.findMany({
      where: {
        owner,
        status,
        ...(before && {
          // This condition enters the index; with the alternatives alone all newer tasks would be read.
          createdAt: { lte: before.createdAt },
          OR: [
            { createdAt: { lt: before.createdAt } },
            { createdAt: before.createdAt, id: { lt: before.id } },
          ],
        }),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit,
    });
    return rows as Task[];
  }

  /**
   * @returns The task as it is now, ended by this call or earlier; undefined where the owner has no task of this id.
   */
  async cancel(owner: string, id: string): Promise<{ task: Task; cancelled: boolean } | undefined> {
    const change = failure(CANCELLED, this.limits.rowSeconds);
    const cancelled = await endTask(this.#db, ownedBy(owner, id), change);
    const task = await this.find(owner, id);
    return task && { task, cancelled };
  }

  /** Removes the row of an ended task. @returns Its files; undefined where there is no such task. */
  async remove(owner: string, id: string): Promise<string[] | undefined> {
    const rows = await this.#db.$queryRaw<FilesOfTask[]>`
      DELETE FROM task WHERE id = ${id}::uuid AND owner = ${owner} AND status <> 'PENDING'
      RETURNING request_file, result_file`;
    return rows[0] && filesOf(rows[0]);
  }
}

export interface FilesOfTask {
  request_file: string | null;
  result_file: string | null;
}

/** All blobs of a task, including possible conversions of its result. */
export function filesOf({ request_file, result_file }: FilesOfTask): string[] {
  return [request_file ?? [], result_file === null ? [] : withConverted(result_file)].flat();
}
