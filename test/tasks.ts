import { randomUUID } from "node:crypto";
import type { Clock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { TaskQueue } from "#server/tasks/queue.ts";
import { type NewTask, type TaskLimits, TaskStore } from "#server/tasks/store.ts";

export interface TestStore {
  store: TaskStore;
  queue: TaskQueue;
  database: Database;
  clock: Clock;
  /** Advances the machine's clock of the store. */
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
  const { prisma } = database;
  const allLimits = { ...testLimits, ...limits };
  return {
    database,
    clock,
    store: new TaskStore(prisma, clock, allLimits),
    queue: new TaskQueue(prisma, clock, allLimits),
    pass: (seconds) => {
      now += seconds;
    },
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
    ...more,
  };
}
