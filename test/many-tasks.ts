import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";

/** Who has how many tasks. */
export interface Mix {
  /** Ended ones of `owners` owners, and of one more that has many. */
  ended: number;
  owners: number;
  ofGreedy: number;
  /** Those that wait, of 50 owners. */
  pending: number;
}

export const GREEDY_OWNER = "greedy";
export const WAITING_OWNERS = 50;

/** Of a million tasks: 50,000 wait, 200,000 are of one owner, 750,000 of 2,000 owners. */
export function mixOf(count: number): Mix {
  const pending = count / 20;
  const ofGreedy = count / 5;
  return { ended: count - pending - ofGreedy, owners: Math.max(1, count / 500), ofGreedy, pending };
}

export function waitingOwner(index: number): string {
  return `waiting ${index % WAITING_OWNERS}`;
}

/**
 * Writes tasks that ended in the last 30 days, a tenth of them in failure, and tasks that wait. Results of the last seven
 * days are there, older ones are deleted, as retention does.
 */
export async function fillTasks(db: Pick<PrismaClient, "$executeRaw">, mix: Mix): Promise<void> {
  await ended(mix.ended, `'owner ' || n % ${mix.owners}`);
  await ended(mix.ofGreedy, `'${GREEDY_OWNER}'`);
  await insert(
    mix.pending,
    `'waiting ' || n % ${WAITING_OWNERS}`,
    { status: "'PENDING'", created: "now() - n * interval '1 ms'" },
    "NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL",
  );
  await db.$executeRaw`VACUUM (ANALYZE) task`;

  function ended(count: number, owner: string): Promise<unknown> {
    const age = `(((n::bigint * 7919) % ${count})::float8 / ${count})`;
    const created = `now() - interval '29 days 23 hours' * ${age}`;
    return insert(
      count,
      owner,
      { status: "CASE WHEN n % 10 = 0 THEN 'FAILURE' ELSE 'SUCCESS' END", created },
      `created, created, created + CASE WHEN n % 10 = 0 THEN interval '30 days' ELSE interval '7 days' END,
        CASE WHEN n % 10 <> 0 AND created > now() - interval '7 days' THEN id || '.request' END,
        CASE WHEN n % 10 <> 0 AND created > now() - interval '7 days' THEN id || '.1.result' END, 1, 200, 1000`,
    );
  }

  async function insert(
    count: number,
    owner: string,
    { status, created }: { status: string; created: string },
    rest: string,
  ): Promise<void> {
    const sql = `
      INSERT INTO task (id, owner, kind, status, size, created_at, started_at, weather_now, available_at, rank,
        served_at, finished_at, expires_at, request_file, result_file, progress, request_bytes, result_bytes)
      SELECT id, owner, 'MetOcean', status, 10, created, NULL, now(), created, 1000 + 1e5 * extract(epoch FROM created), ${rest}
      FROM (SELECT gen_random_uuid() AS id, ${owner} AS owner, ${status} AS status, ${created} AS created, n
        FROM generate_series(1, ${Math.round(count)}) AS n) AS made`;
    await db.$executeRaw(Prisma.raw(sql));
  }
}
