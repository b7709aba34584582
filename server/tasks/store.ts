import { randomUUID } from "node:crypto";
import type { Idempotency, TaskKind } from "#lib/contract/task.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import type { TaskModel } from "#prisma/generated/models.ts";
import type { StoredBlob } from "#server/platform/blob-store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Task } from "./task.ts";

/** The part of the database that tasks need. */
export type TaskTables = Pick<PrismaClient, "task" | "idempotencyKey" | "$queryRaw" | "$executeRaw">;

export interface TaskLimits {
  /** Most pending tasks of one owner. */
  pendingOfOwner: number;
  /** Most pending tasks of all owners. */
  pending: number;
  /** How long a result is kept after its task ended, seconds. */
  resultSeconds: number;
  /** How long the row is, and a failure can be read. */
  rowSeconds: number;
}

export interface NewTask {
  id: string;
  owner: string;
  kind: TaskKind;
  name: string | null;
  size: number;
  /** Weather clock when it was accepted, Unix seconds. */
  weatherNow: number;
  receiveMail: boolean;
  mailTo: string | null;
  requestFile: string;
}

/** Why a task was not taken: too many wait, of this owner or of all; or another request with the key was faster. */
export type NotTaken = "owner is full" | "full" | "key is taken";

/** How long an Idempotency-Key stands for its task, seconds. */
export const KEY_SECONDS = 86_400;

/** Seconds without a sign of life after which a task is taken from its worker. */
export const LEASE_SECONDS = 8;

/**
 * The rows of tasks, and the queue, which is the rows that are PENDING.
 *
 * Every change is one statement: on the embedded database, which is one session, nothing can come in between, and on
 * PostgreSQL nothing is half done.
 */
export class TaskStore {
  readonly #db: TaskTables;
  readonly #clock: Clock;
  readonly limits: TaskLimits;

  /** @param clock The machine's: leases, retention and created_at. */
  constructor(db: TaskTables, clock: Clock, limits: TaskLimits) {
    this.#db = db;
    this.#clock = clock;
    this.limits = limits;
  }

  /** Takes a task, and its Idempotency-Key with it; durable when this returns. */
  async submit(task: NewTask, idempotency?: Idempotency): Promise<"taken" | NotTaken> {
    const now = this.#time();
    const { pendingOfOwner, pending } = this.limits;
    const key = idempotency?.key ?? null;
    const rows = await this.#db.$queryRaw<{ own: number; everybody: number; taken: boolean }[]>`
      WITH counted AS (
        SELECT count(*) FILTER (WHERE owner = ${task.owner})::int AS own, count(*)::int AS everybody
        FROM task WHERE status = 'PENDING'
      ), noted AS (
        INSERT INTO idempotency_key (owner, key, hash, task_id, created_at)
        SELECT ${task.owner}, ${key}::text, ${idempotency?.hash ?? ""}, ${task.id}::uuid, ${now}
        FROM counted
        WHERE own < ${pendingOfOwner}::int AND everybody < ${pending}::int AND ${key}::text IS NOT NULL
        ON CONFLICT (owner, key) DO UPDATE
          SET hash = excluded.hash, task_id = excluded.task_id, answer_file = NULL, created_at = excluded.created_at
          WHERE idempotency_key.created_at <= ${this.#time(-KEY_SECONDS)}
        RETURNING 1
      ), made AS (
        INSERT INTO task (id, owner, kind, name, status, size, created_at, weather_now, receive_mail, mail_to,
          request_file, available_at)
        SELECT ${task.id}::uuid, ${task.owner}, ${task.kind}, ${task.name}::text, 'PENDING', ${task.size}::int, ${now},
          ${new Date(task.weatherNow * 1000)}, ${task.receiveMail}, ${task.mailTo}::text, ${task.requestFile}, ${now}
        FROM counted
        WHERE own < ${pendingOfOwner}::int AND everybody < ${pending}::int
          AND (${key}::text IS NULL OR EXISTS (SELECT 1 FROM noted))
        RETURNING 1
      )
      SELECT own, everybody, EXISTS (SELECT 1 FROM made) AS taken FROM counted`;
    const { own, everybody, taken } = rows[0]!;
    if (taken) return "taken";
    if (own >= pendingOfOwner) return "owner is full";
    return everybody >= pending ? "full" : "key is taken";
  }

  /** What an owner's Idempotency-Key stands for. */
  async known(owner: string, key: string) {
    const row = await this.#db.idempotencyKey.findUnique({ where: { owner_key: { owner, key } } });
    return row && row.createdAt > this.#time(-KEY_SECONDS) ? row : undefined;
  }

  /** Remembers the answer of a request that was answered at once. @returns false where the key was taken meanwhile. */
  async remember(owner: string, idempotency: Idempotency, taskId: string, answerFile: string) {
    const data = { hash: idempotency.hash, taskId, answerFile, createdAt: this.#time() };
    const { count } = await this.#db.idempotencyKey.createMany({
      data: { owner, key: idempotency.key, ...data },
      skipDuplicates: true,
    });
    if (count === 1) return true;
    const stale = { owner, key: idempotency.key, createdAt: { lte: this.#time(-KEY_SECONDS) } };
    return (await this.#db.idempotencyKey.updateMany({ where: stale, data })).count === 1;
  }

  /** One's own task; another's is as absent as one that never was. */
  async find(owner: string, id: string): Promise<Task | undefined> {
    const row = await this.#db.task.findFirst({ where: { id, owner } });
    return (row as Task | null) ?? undefined;
  }

  /** Newest first. @param before Where the page before ended. */
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
   * The tasks that wait, in the order in which they would be taken if nothing new came: each owner's oldest, then each
   * owner's second, and so on.
   */
  async waiting(): Promise<{ id: string }[]> {
    return this.#db.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM (
        SELECT id, created_at, row_number() OVER (PARTITION BY owner ORDER BY created_at, id) AS turn
        FROM task WHERE status = 'PENDING' AND (lease_until IS NULL OR lease_until <= ${this.#time()})
      ) AS waiting ORDER BY turn, created_at, id`;
  }

  /**
   * Takes the next task: of the owner with the fewest running, then of the one who was served longest ago, the oldest.
   * One whose worker was silent for longer than its lease is free again.
   *
   * The steps are fixed in their order, because the embedded database has no statistics to choose one by.
   */
  async claim(): Promise<Task | undefined> {
    const now = this.#time();
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
      UPDATE task SET token = token + 1, started_at = ${now}, progress = 0, lease_until = ${this.#time(LEASE_SECONDS)}
      FROM next WHERE task.id = taken
      RETURNING task.id::text AS id`;
    const id = rows[0]?.id;
    if (id === undefined) return undefined;
    return (await this.#db.task.findUnique({ where: { id } })) as Task;
  }

  /** Says that the worker of a claim lives. @returns false when the claim is no longer worth anything. */
  async beat({ id, token }: Claim, progress: number): Promise<boolean> {
    const changed = await this.#db.$executeRaw`
      UPDATE task SET lease_until = ${this.#time(LEASE_SECONDS)}, progress = greatest(progress, ${progress}::float8)
      WHERE id = ${id}::uuid AND token = ${token}::int AND status = 'PENDING'`;
    return changed === 1;
  }

  /** Gives a claim back, to be taken again. @param wait Seconds before that. @param failed Whether it ended in an error. */
  async release({ id, token }: Claim, wait: number, failed: boolean): Promise<void> {
    await this.#db.task.updateMany({
      where: { id, token, status: "PENDING" },
      data: {
        leaseUntil: null,
        progress: 0,
        availableAt: this.#time(wait),
        ...(failed && { failures: { increment: 1 } }),
      },
    });
  }

  /** The only process of this database has just started: whatever is claimed was claimed by a dead one. */
  async releaseAll(): Promise<void> {
    await this.#db.task.updateMany({
      where: { status: "PENDING", leaseUntil: { not: null } },
      data: { leaseUntil: null, progress: 0 },
    });
  }

  /** @returns false for a claim that was lost meanwhile: its result is nobody's. */
  async succeed(claim: Claim, result: Result): Promise<boolean> {
    const { file, stored, synthetic, finishedAt, expiresAt } = result;
    const change = Prisma.sql`status = 'SUCCESS', progress = 1, finished_at = ${finishedAt}, expires_at = ${expiresAt},
      synthetic = ${synthetic}, result_file = ${file}, result_bytes = ${stored.bytes}::int, result_hash = ${stored.hash}`;
    return (await this.#end(claimed(claim), change)) !== undefined;
  }

  /** @param reason For the owner. @returns false for a claim that was lost meanwhile. */
  async fail(claim: Claim, reason: string): Promise<boolean> {
    return (await this.#end(claimed(claim), this.#failure(reason))) !== undefined;
  }

  /** @returns The task as it is now, ended by this or before; undefined where the owner has none of this id. */
  async cancel(owner: string, id: string): Promise<{ task: Task; cancelled: boolean } | undefined> {
    const which = Prisma.sql`id = ${id}::uuid AND owner = ${owner}`;
    const ended = await this.#end(which, this.#failure(CANCELLED));
    const task = await this.find(owner, id);
    return task && { task, cancelled: ended !== undefined };
  }

  /** Removes the row of a task that has ended. @returns Its files; undefined where there is no such task. */
  async remove(owner: string, id: string): Promise<string[] | undefined> {
    const rows = await this.#db.$queryRaw<FilesOfTask[]>`
      DELETE FROM task WHERE id = ${id}::uuid AND owner = ${owner} AND status <> 'PENDING'
      RETURNING request_file, result_file`;
    return rows[0] && filesOf(rows[0]);
  }

  /** Forgets the results that are due, the rows that are, and old keys. @returns Files that nothing names any more. */
  async sweep(): Promise<string[]> {
    const now = this.#time();
    const expired = await this.#db.$queryRaw<FilesOfTask[]>`
      WITH due AS (
        SELECT id, request_file, result_file FROM task
        WHERE expires_at <= ${now} AND (request_file IS NOT NULL OR result_file IS NOT NULL)
        LIMIT ${SWEPT_AT_ONCE}::int FOR UPDATE SKIP LOCKED
      )
      UPDATE task SET request_file = NULL, result_file = NULL FROM due WHERE task.id = due.id
      RETURNING due.request_file, due.result_file`;
    const gone = await this.#db.$queryRaw<FilesOfTask[]>`
      DELETE FROM task WHERE status <> 'PENDING' AND finished_at <= ${this.#time(-this.limits.rowSeconds)}
      RETURNING request_file, result_file`;
    const keys = await this.#db.$queryRaw<{ answer_file: string | null }[]>`
      DELETE FROM idempotency_key WHERE created_at <= ${this.#time(-KEY_SECONDS)} RETURNING answer_file`;
    return [...expired, ...gone]
      .flatMap(filesOf)
      .concat(keys.flatMap(({ answer_file }) => answer_file ?? []));
  }

  /** Gives back what changed rows left, and counts them: the embedded database does not do so by itself. */
  async tidy(): Promise<void> {
    await this.#db.$executeRaw`VACUUM (ANALYZE) task`;
  }

  /** Which of these files are named by no row. */
  async unnamed(files: readonly string[]): Promise<string[]> {
    const rows = await this.#db.$queryRaw<{ file: string }[]>`
      SELECT file FROM unnest(${files}::text[]) AS file
      WHERE NOT EXISTS (SELECT 1 FROM task WHERE request_file = file OR result_file = file)
        AND NOT EXISTS (SELECT 1 FROM idempotency_key WHERE answer_file = file)`;
    return rows.map(({ file }) => file);
  }

  /** Ends pending tasks. The mail that was asked for is written by the same statement, so there is one and never two. */
  async #end(which: Prisma.Sql, change: Prisma.Sql): Promise<string | undefined> {
    const now = this.#time();
    const rows = await this.#db.$queryRaw<{ id: string }[]>`
      WITH ended AS (
        UPDATE task SET ${change}, lease_until = NULL WHERE ${which} AND status = 'PENDING' RETURNING *
      ), mail AS (
        INSERT INTO outbox (id, task_id, address, payload, created_at, available_at)
        SELECT ${randomUUID()}::uuid, id, mail_to,
          jsonb_build_object('task_id', id, 'kind', kind, 'task_name', name, 'status', status, 'error', error,
            'size', size, 'created_at', created_at, 'finished_at', finished_at, 'expires_at', expires_at,
            'synthetic', synthetic),
          ${now}, ${now}
        FROM ended WHERE receive_mail AND mail_to IS NOT NULL
      )
      SELECT id::text FROM ended`;
    return rows[0]?.id;
  }

  /** A failure has no result that could expire: it is told as long as its row is there. */
  #failure(reason: string): Prisma.Sql {
    return Prisma.sql`status = 'FAILURE', error = ${reason}, finished_at = ${this.#time()},
      expires_at = ${this.#time(this.limits.rowSeconds)}`;
  }

  #time(seconds = 0): Date {
    return new Date((this.#clock.now() + seconds) * 1000);
  }
}

export const CANCELLED = "Task cancelled by user";

/** Files of one sweep: the rest is for the next. */
const SWEPT_AT_ONCE = 500;

/** A task as one worker has it. */
export type Claim = Pick<TaskModel, "id" | "token">;

/** What a worker made. */
export interface Result {
  file: string;
  stored: StoredBlob;
  synthetic: boolean;
  finishedAt: Date;
  expiresAt: Date;
}

interface FilesOfTask {
  request_file: string | null;
  result_file: string | null;
}

function filesOf({ request_file, result_file }: FilesOfTask): string[] {
  return [request_file, result_file].filter((file) => file !== null);
}

function claimed({ id, token }: Claim): Prisma.Sql {
  return Prisma.sql`id = ${id}::uuid AND token = ${token}::int`;
}
