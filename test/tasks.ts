import { randomUUID } from "node:crypto";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import type { Clock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { TaskQueue } from "#server/tasks/queue.ts";
import { type NewTask, TaskStore } from "#server/tasks/store.ts";
import type { TaskLimits } from "#server/tasks/task.ts";

export interface TestStore {
  store: TaskStore;
  queue: TaskQueue;
  database: Database;
  /** The database, which uses the test's clock. */
  tables: TestTables;
  clock: Clock;
  /** Advances the clock of the database and of this machine. */
  pass(seconds: number): void;
}

export const testLimits: TaskLimits = {
  pendingOfOwner: 5,
  pending: 8,
  resultSeconds: 7 * 86_400,
  rowSeconds: 30 * 86_400,
};

/** The tasks of a database of its own, with a clock that the test advances. */
export async function openTestStore(
  place: { dataDir: string; databaseUrl?: string },
  limits: Partial<TaskLimits> = {},
): Promise<TestStore> {
  const database = await openDatabase(place);
  let now = 1_800_000_000;
  const clock = { now: () => now };
  const tables = tablesAt(database.prisma, clock);
  const allLimits = { ...testLimits, ...limits };
  return {
    database,
    tables,
    clock,
    store: new TaskStore(tables, allLimits),
    queue: new TaskQueue(tables, allLimits),
    pass: (seconds) => {
      now += seconds;
    },
  };
}

export type TestTables = Pick<
  PrismaClient,
  "task" | "outbox" | "idempotencyKey" | "$queryRaw" | "$executeRaw"
>;

/** A client whose statements use the time of a clock for `now()`. */
function tablesAt(prisma: PrismaClient, clock: Clock): TestTables {
  const frozen = (query: TemplateStringsArray | Prisma.Sql, values: unknown[]): Prisma.Sql => {
    const sql = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    const now = `to_timestamp(${clock.now()})`;
    return new Prisma.Sql(
      sql.strings.map((text) => text.replaceAll("now()", now)),
      sql.values,
    );
  };
  const { task, outbox, idempotencyKey } = prisma;
  return {
    task,
    outbox,
    idempotencyKey,
    $queryRaw: (query, ...values) => prisma.$queryRaw(frozen(query, values)),
    $executeRaw: (query, ...values) => prisma.$executeRaw(frozen(query, values)),
  };
}

export function newTask(owner: string, more: Partial<NewTask> = {}): NewTask {
  const id = randomUUID();
  return {
    id,
    owner,
    kind: "MetOcean",
    name: null,
    size: 1,
    weatherNow: 1_767_225_600,
    receiveMail: false,
    mailTo: null,
    requestFile: `${id}.request`,
    requestBytes: 100,
    ...more,
  };
}
