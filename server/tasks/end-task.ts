import { randomUUID } from "node:crypto";
import { Prisma } from "#prisma/generated/client.ts";
import type { TaskModel } from "#prisma/generated/models.ts";
import type { TaskTables } from "./task.ts";

/** A task as one worker has claimed it. Each claim of a task has a higher token than the one before. */
export type Claim = Pick<TaskModel, "id" | "token">;

/**
 * The time so many seconds from now, by the database's clock: rows of several machines are compared with each other.
 *
 * @param seconds Negative for the past.
 */
export function secondsFromNow(seconds: number): Prisma.Sql {
  return Prisma.sql`now() + make_interval(secs => ${seconds}::float8)`;
}

export function claimedBy({ id, token }: Claim): Prisma.Sql {
  return Prisma.sql`id = ${id}::uuid AND token = ${token}::int`;
}

export function ownedBy(owner: string, id: string): Prisma.Sql {
  return Prisma.sql`id = ${id}::uuid AND owner = ${owner}`;
}

/** A failure has no result that could expire: it can be read as long as its row exists. */
export function failure(reason: string, rowSeconds: number): Prisma.Sql {
  return Prisma.sql`status = 'FAILURE', error = ${reason}, finished_at = now(), expires_at = ${secondsFromNow(rowSeconds)}`;
}

/**
 * Ends a pending task. The same statement writes the mail that was asked for, so that there is exactly one.
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
