import { randomUUID } from "node:crypto";
import { Prisma } from "#prisma/generated/client.ts";
import type { TaskModel } from "#prisma/generated/models.ts";
import { isOver, secondsFromNow } from "#server/platform/claimed-rows.ts";
import type { StoredBlob } from "./gzip-blobs.ts";
import type { Task, TaskLimits, TaskTables } from "./task.ts";

/**
 * Seconds without a heartbeat after which a task is free for another worker. A worker sends two heartbeats a second.
 */
export const LEASE_SECONDS = 8;

/** Longest pause after a failure of the machine, seconds. The first is 1, and each doubles the previous one. */
export const MAX_OUTAGE_SECONDS = 30;

/**
 * A task with this many interruptions at the same piece may be their cause, and runs alone from then on. So does a task
 * whose thread ended.
 */
const SUSPECT_INTERRUPTIONS = 3;

export interface Room {
  /** Whether a task that is not small may run. */
  any: boolean;
  small: boolean;
  /** Whether a task of any size may run alone in a thread. */
  alone: boolean;
}

/** A claimed task, and how it has to run. */
export interface ClaimedTask extends Task {
  isSmall: boolean;
  runsAlone: boolean;
  /** Time by the database's clock, Unix milliseconds. */
  claimedAt: number;
}

export interface Result {
  file: string;
  stored: StoredBlob;
  synthetic: boolean;
  finishedAt: Date;
  expiresAt: Date;
}

const isFree = Prisma.sql`status = 'PENDING' AND (lease_until IS NULL OR ${isOver(Prisma.sql`lease_until`, LEASE_SECONDS)})`;
const runsAlone = Prisma.sql`(alone OR interruptions >= ${SUSPECT_INTERRUPTIONS})`;

/** The first of the owners with pending tasks. The query reads one entry of an index, however many tasks there are. */
const firstOwner = (more = Prisma.empty) =>
  Prisma.sql`(SELECT owner FROM task WHERE status = 'PENDING' ${more} ORDER BY owner LIMIT 1)`;

/** The queue of PENDING tasks. Each change is one statement. All times are the database's. */
export class TaskQueue {
  readonly #db: TaskTables;
  readonly #rowSeconds: number;

  constructor(db: TaskTables, { rowSeconds }: Pick<TaskLimits, "rowSeconds">) {
    this.#db = db;
    this.#rowSeconds = rowSeconds;
  }

  /**
   * Tasks that have not begun, in the order in which they will begin if no new ones arrive: each owner's first, then
   * each owner's second, and so on.
   */
  async waiting(): Promise<{ id: string }[]> {
    // The ids are one text, because fifty thousand rows would block the request thread for a tenth of a second.
    const rows = await this.#db.$queryRaw<{ ids: string | null }[]>`
      SELECT string_agg(id::text, ' ' ORDER BY turn, created_at, id) AS ids FROM (
        SELECT id, created_at, row_number() OVER (PARTITION BY owner ORDER BY rank, id) AS turn
        FROM task WHERE ${isFree} AND cardinality(pieces) = 0
      ) AS waiting`;
    return (rows[0]?.ids ?? "")
      .split(" ")
      .filter(Boolean)
      .map((id) => ({ id }));
  }

  /**
   * Claims the next piece. It belongs to the owner with the fewest running pieces, then to the owner served longest
   * ago, then to the task that `rankOf` puts first. A claimed task is free again when its lease has ended.
   */
  async claim(room: Room = { any: true, small: true, alone: true }): Promise<ClaimedTask | undefined> {
    const due = Prisma.sql`${isFree} AND ${isOver(Prisma.sql`available_at`, MAX_OUTAGE_SECONDS)} AND CASE WHEN ${runsAlone} THEN ${room.alone}::boolean
      WHEN ${isSmall} THEN ${room.small}::boolean ELSE ${room.any}::boolean END`;
    const rows = await this.#db.$queryRaw<{ id: string; small: boolean; alone: boolean; at: Date }[]>`
      WITH RECURSIVE owners AS (${firstOwner()}
        UNION ALL SELECT next.owner FROM owners CROSS JOIN LATERAL ${firstOwner(Prisma.sql`AND owner > owners.owner`)} AS next
      ), first AS MATERIALIZED (
        SELECT id, owners.owner FROM owners CROSS JOIN LATERAL (
          SELECT id FROM task WHERE owner = owners.owner AND ${due} ORDER BY rank, id LIMIT 1
        ) AS its
      ), turns AS MATERIALIZED (
        SELECT id AS candidate,
          (SELECT count(*) FROM task r WHERE r.status = 'PENDING' AND r.owner = first.owner
            AND NOT ${isOver(Prisma.sql`r.lease_until`, LEASE_SECONDS)}) AS running,
          (SELECT max(served_at) FROM task r WHERE r.owner = first.owner) AS served
        FROM first
      ), next AS (
        SELECT task.id AS taken FROM task JOIN turns ON candidate = task.id
        WHERE task.id = ANY (ARRAY(SELECT candidate FROM turns)) AND ${due}
        ORDER BY running, served NULLS FIRST, rank, task.id
        LIMIT 1 FOR UPDATE OF task SKIP LOCKED
      )
      UPDATE task SET token = token + 1, started_at = coalesce(started_at, now()), served_at = now(),
        interruptions = interruptions + (lease_until IS NOT NULL)::int, lease_until = ${secondsFromNow(LEASE_SECONDS)}
      FROM next WHERE task.id = taken
      RETURNING task.id::text AS id, ${isSmall} AS small, ${runsAlone} AS alone, now() AS at`;
    const row = rows[0];
    if (row === undefined) return undefined;
    const task = (await this.#db.task.findUnique({ where: { id: row.id } })) as Task;
    return { ...task, isSmall: row.small, runsAlone: row.alone, claimedAt: row.at.getTime() };
  }

  /** Extends the lease of a claim. @returns false for a claim that was lost or released. */
  async beat(claim: Claim, progress: number): Promise<boolean> {
    return this.#change(
      claim,
      Prisma.sql`lease_until = ${secondsFromNow(LEASE_SECONDS)}, progress = greatest(progress, ${progress}::float8)`,
    );
  }

  /**
   * Records a piece whose blob is durable, and releases the claim.
   *
   * @param done Computed part of the task's size.
   * @param computedMs Time that the piece took.
   * @param bytes Size of its blob.
   * @returns false for a claim that was lost, whose piece must be dropped.
   */
  async advance(claim: Claim, done: number, computedMs: number, bytes = 0): Promise<boolean> {
    const remaining = Prisma.sql`(size - ${done}::int)`;
    return this.#change(
      claim,
      Prisma.sql`pieces = pieces || ${claim.token}::int, piece_bytes = piece_bytes + ${bytes}::bigint, done = ${done}::int, lease_until = NULL,
        progress = greatest(progress, ${done}::float8 / greatest(size, 1)), ${spent(computedMs)},
        failures = 0, interruptions = 0, alone = false, rank = ${rankOf(Prisma.sql`kind`, remaining, Prisma.sql`created_at`)}`,
    );
  }

  /**
   * Releases a claim without a new piece.
   *
   * @param wait Seconds before the task may be claimed again.
   */
  async release(claim: Claim, wait: number, change: Released = {}): Promise<void> {
    const { failed = false, alone, restart = false, computedMs = 0 } = change;
    await this.#change(
      claim,
      Prisma.sql`lease_until = NULL, available_at = ${secondsFromNow(wait)}, ${spent(computedMs)},
        failures = failures + ${failed}::boolean::int, alone = coalesce(${alone ?? null}::boolean, alone),
        piece_bytes = CASE WHEN ${restart}::boolean THEN 0 ELSE piece_bytes END,
        pieces = CASE WHEN ${restart}::boolean THEN ARRAY[]::int[] ELSE pieces END,
        done = CASE WHEN ${restart}::boolean THEN 0 ELSE done END`,
    );
  }

  /** @returns false for a claim that was lost, whose result must be dropped. */
  async succeed(claim: Claim, result: Result, computedMs = 0): Promise<boolean> {
    const { file, stored, synthetic, finishedAt, expiresAt } = result;
    const change = Prisma.sql`status = 'SUCCESS', progress = 1, done = size, pieces = ARRAY[]::int[], ${spent(computedMs)},
      finished_at = ${finishedAt}, expires_at = ${expiresAt}, synthetic = ${synthetic}, result_file = ${file},
      result_bytes = ${stored.bytes}::int, result_hash = ${stored.hash}`;
    return endTask(this.#db, claimedBy(claim), change);
  }

  /** @param reason Text for the owner. @returns false for a claim that was lost. */
  async fail(claim: Claim, reason: string): Promise<boolean> {
    return endTask(this.#db, claimedBy(claim), failure(reason, this.#rowSeconds));
  }

  async #change(claim: Claim, change: Prisma.Sql): Promise<boolean> {
    const changed = await this.#db.$executeRaw`
      UPDATE task SET ${change} WHERE ${claimedBy(claim)} AND status = 'PENDING' AND lease_until IS NOT NULL`;
    return changed === 1;
  }
}

/** Change to a task whose claim ended without a piece. */
export interface Released {
  /** The task ended in an error of its own. */
  failed?: boolean;
  /** The next claim runs alone. */
  alone?: boolean;
  /** The pieces of the task cannot be used, so the next claim begins with the first. */
  restart?: boolean;
  computedMs?: number;
}

function spent(computedMs: number): Prisma.Sql {
  return Prisma.sql`computed_ms = computed_ms + ${Math.round(computedMs)}::int`;
}

/** A task as claimed by one worker. Each claim of a task has a higher token than the previous one. */
export type Claim = Pick<TaskModel, "id" | "token">;

export function claimedBy({ id, token }: Claim): Prisma.Sql {
  return Prisma.sql`id = ${id}::uuid AND token = ${token}::int`;
}

export function ownedBy(owner: string, id: string): Prisma.Sql {
  return Prisma.sql`id = ${id}::uuid AND owner = ${owner}`;
}

/** A failure has no result that could expire, so it can be read as long as its row exists. */
export function failure(reason: string, rowSeconds: number): Prisma.Sql {
  return Prisma.sql`status = 'FAILURE', error = ${reason}, finished_at = now(), expires_at = ${secondsFromNow(rowSeconds)}`;
}

/**
 * Ends a pending task. The same statement writes the requested email, so that there is exactly one.
 *
 * @returns false where no pending task matches.
 */
export async function endTask(
  db: Pick<TaskTables, "$queryRaw">,
  which: Prisma.Sql,
  change: Prisma.Sql,
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH ended AS (
      UPDATE task SET ${change}, lease_until = NULL WHERE ${which} AND status = 'PENDING' RETURNING *
    ), mail AS (
      INSERT INTO outbox (id, task_id, address, payload, created_at, available_at)
      SELECT ${randomUUID()}::uuid, id, mail_to,
        jsonb_build_object('task_id', id, 'kind', kind, 'task_name', name, 'status', status, 'error', error,
          'size', size, 'created_at', created_at, 'finished_at', finished_at, 'expires_at', expires_at,
          'synthetic', synthetic),
        now(), now()
      FROM ended WHERE receive_mail AND mail_to IS NOT NULL
    )
    SELECT id::text FROM ended`;
  return rows.length > 0;
}

/** A place of a point request takes about as long as this many values of a map. */
const VALUES_PER_POINT = 100;

/** A task with at most this many values, which is 100 places, is small. */
const SMALL_VALUES = 10_000;

/**
 * Values that count as much as one second of age. A large task waits a few minutes for smaller ones, but never forever.
 */
const VALUES_PER_SECOND = 100_000;

/**
 * Order among the tasks of one owner: the least remaining work first, reduced by age. It changes only when a piece is
 * finished.
 *
 * @param remaining Points or values that are not computed yet.
 */
export function rankOf(kind: Prisma.Sql, remaining: Prisma.Sql, createdAt: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${valuesOf(kind, remaining)} + ${VALUES_PER_SECOND}::float8 * extract(epoch FROM ${createdAt})`;
}

function valuesOf(kind: Prisma.Sql, size: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${size} * CASE ${kind} WHEN '2DMetOcean' THEN 1 ELSE ${VALUES_PER_POINT}::float8 END`;
}

/** Whether the whole task of a row is small. */
export const isSmall = Prisma.sql`${valuesOf(Prisma.sql`kind`, Prisma.sql`size`)} <= ${SMALL_VALUES}`;
