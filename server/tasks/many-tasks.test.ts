import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import type { BlobEntry } from "#server/platform/blob-store.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask } from "#test/tasks.ts";
import { idOf } from "./converted-files.ts";
import { TaskQueue } from "./queue.ts";
import { Retention } from "./retention.ts";
import { Storage } from "./storage.ts";
import { TaskStore } from "./store.ts";
import type { TaskTables } from "./task.ts";

const TASKS = 20_000;
const GREEDY_OWNER = "greedy";
const WAITING_OWNERS = 50;
const limits = { pendingOfOwner: 1e6, pending: 1e6, resultSeconds: 7 * 86_400, rowSeconds: 30 * 86_400 };
const log = { info() {}, warn() {}, error() {} };

describeWithDatabase("among 20,000 tasks, of which 1,000 wait", (fresh) => {
  let database: Database;
  let ids: string[];
  let stored: number;
  beforeAll(async () => {
    database = await openDatabase(await fresh());
    await fillTasks(database.prisma);
    const rows = await database.prisma.task.findMany({
      where: { resultFile: { not: null } },
      select: { id: true },
      take: 10,
    });
    ids = rows.map(({ id }) => id);
    stored = await database.prisma.task.count({ where: { resultFile: { not: null } } });
  });
  afterAll(() => database?.close());

  /** Counts the reads of PostgreSQL during some work, which is rolled back. */
  async function read(work: (tables: TaskTables) => Promise<unknown>) {
    const nothing = new Error("rolled back");
    let found: { scans: number; rows: number } | undefined;
    const transaction = database.prisma.$transaction(async (tables: Prisma.TransactionClient) => {
      // The counters may already include earlier transactions.
      const before = await countersOf(tables);
      await work(tables);
      const after = await countersOf(tables);
      found = { scans: after.scans - before.scans, rows: after.rows - before.rows };
      throw nothing;
    });
    await expect(transaction).rejects.toBe(nothing);
    return found!;
  }

  const sweeper = (tables: TaskTables, keys: string[] = []) =>
    new Retention({ tables, blobs: { list: () => listed(keys), delete: async () => {} }, clock, limits });

  it("a task is accepted without scanning those of others", async () => {
    const submit = (tables: TaskTables) => new TaskStore(tables, limits).submit(newTask("waiting 1"));
    expect(await read(submit)).toMatchObject({ scans: 0 });
  });

  it("a claim reads a few rows of each waiting owner", async () => {
    const { scans, rows } = await read((tables) => new TaskQueue(tables, limits).claim());
    expect(scans).toBe(0);
    expect(rows).toBeLessThan(10 * WAITING_OWNERS);
  });

  it("a page reads only its own tasks, even at the end of a list of thousands", async () => {
    const [last] = await database.prisma.task.findMany({
      where: { owner: GREEDY_OWNER },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      skip: 100,
      take: 1,
    });
    for (const [status, before] of [
      [undefined],
      [undefined, last!],
      ["FAILURE"],
      ["SUCCESS", last!],
    ] as const) {
      const list = (tables: TaskTables) =>
        new TaskStore(tables, limits).list(GREEDY_OWNER, status, 50, before);
      const { scans, rows } = await read(list);
      expect([scans, rows <= 120]).toEqual([0, true]);
    }
  });

  it("a sweep reads only what is due", async () => {
    expect(await read((tables) => sweeper(tables).sweep())).toEqual({ scans: 0, rows: 0 });
    const { scans, rows } = await read(async (tables) => {
      await tables.$executeRaw`
        UPDATE task SET expires_at = now(), finished_at = now() - interval '31 days' WHERE id = ANY (${ids}::uuid[])`;
      await sweeper(tables).sweep();
    });
    expect([scans, rows < 20 * ids.length]).toEqual([0, true]);
  });

  it("a blob is looked up by its task", async () => {
    const keys = ids.flatMap((id) => [`${id}.request`, `${id}.1.result`, `${randomUUID()}.request`]);
    const { scans, rows } = await read((tables) => sweeper(tables, keys).sweepOrphans());
    expect([scans, rows <= 2 * ids.length]).toEqual([0, true]);
    expect(new Set(keys.map(idOf)).size).toBe(2 * ids.length);
  });

  it("stored bytes are summed from an index, without reading the rows", async () => {
    const storageLimits = { bytesOfOwner: 1e12, bytes: 1e12, minFreeBytes: 0 };
    const blobs = { delete: async () => {} };
    const storage = (tables: TaskTables) =>
      new Storage({ tables, blobs, limits: storageLimits, freeBytes: async () => 1e12, log });
    const { scans, rows } = await read(async (tables) => {
      expect(await storage(tables).heldBytes()).toBe(1200 * stored);
    });
    // The index does not know whether rows are visible that earlier transactions wrote.
    expect([scans, rows < stored / 20]).toEqual([0, true]);
  });
});

/** Number of scans of the whole table, and of rows that scans read or indices found. */
async function countersOf(tables: Prisma.TransactionClient): Promise<{ scans: number; rows: number }> {
  const [counters] = await tables.$queryRaw<{ scans: number; rows: number }[]>`
    SELECT seq_scan::int AS scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
    FROM pg_stat_xact_user_tables WHERE relname = 'task'`;
  return counters!;
}

const clock = { now: () => 1e10 };

async function* listed(keys: string[]): AsyncGenerator<BlobEntry> {
  for (const key of keys) yield { key, bytes: 1, modified: 0 };
}

/**
 * Writes tasks that ended in the last 30 days, a fifth of them of one owner and a tenth in failure, and waiting tasks.
 * Results of the last seven days exist; older ones are deleted, as by retention.
 */
async function fillTasks(db: Pick<PrismaClient, "$executeRaw">): Promise<void> {
  const ended = (count: number, owner: string) => {
    const isRecent = "n % 10 <> 0 AND created > now() - interval '7 days'";
    return insert(
      count,
      owner,
      "CASE WHEN n % 10 = 0 THEN 'FAILURE' ELSE 'SUCCESS' END",
      `now() - interval '29 days 23 hours' * (((n::bigint * 7919) % ${count})::float8 / ${count})`,
      `created, created, created + CASE WHEN n % 10 = 0 THEN interval '30 days' ELSE interval '7 days' END,
        CASE WHEN ${isRecent} THEN id || '.request' END, CASE WHEN ${isRecent} THEN id || '.1.result' END, 1, 200, 1000`,
    );
  };
  const insert = async (count: number, owner: string, status: string, created: string, rest: string) => {
    const sql = `
      INSERT INTO task (id, owner, kind, status, size, created_at, started_at, weather_now, available_at, rank,
        served_at, finished_at, expires_at, request_file, result_file, progress, request_bytes, result_bytes)
      SELECT id, owner, 'MetOcean', status, 10, created, NULL, now(), created, 1000 + 1e5 * extract(epoch FROM created), ${rest}
      FROM (SELECT gen_random_uuid() AS id, ${owner} AS owner, ${status} AS status, ${created} AS created, n
        FROM generate_series(1, ${count}) AS n) AS made`;
    await db.$executeRaw(Prisma.raw(sql));
  };
  await ended(0.75 * TASKS, "'owner ' || n % 40");
  await ended(0.2 * TASKS, `'${GREEDY_OWNER}'`);
  const waiting = "NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL";
  await insert(
    0.05 * TASKS,
    `'waiting ' || n % ${WAITING_OWNERS}`,
    "'PENDING'",
    "now() - n * interval '1 ms'",
    waiting,
  );
  await db.$executeRaw`VACUUM (ANALYZE) task`;
}
