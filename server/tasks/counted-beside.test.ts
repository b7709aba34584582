import { expect, it } from "vitest";
import { Prisma } from "#prisma/generated/client.ts";
import { newTask } from "#test/tasks.ts";
import { TaskReader } from "./reader.ts";
import { Storage } from "./storage.ts";
import { TaskStore } from "./store.ts";
import type { Task, TaskTables } from "./task.ts";

/** Tables that take every submission, and whether each counted. @param countsWith What its statement then has. */
function recordedSubmissions(of: { pending(sql: string): number; countsWith: string }) {
  const submissions: string[] = [];
  const $queryRaw = async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const { sql } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    if (!sql.includes("INSERT")) return [{ pending: of.pending(sql) }];
    submissions.push(sql.includes(of.countsWith) ? "counts" : "does not");
    return [{ own: 0, everybody: 0, taken: true }];
  };
  return { submissions, tables: { $queryRaw } as unknown as TaskTables };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it("a submission counts all pending tasks only where they might be too many", async () => {
  let pending = 100;
  let elapsed = 0;
  const { submissions, tables } = recordedSubmissions({
    pending: () => pending,
    countsWith: "FROM task WHERE status = 'PENDING')::int",
  });
  const limits = { pendingOfOwner: 1000, pending: 1000, resultSeconds: 1, rowSeconds: 1 };
  const store = new TaskStore(tables, limits, () => elapsed);
  const submit = async () => {
    await store.submit(newTask("a"));
    await settle();
  };
  await submit();
  for (let more = 0; more < 399; more++) await submit();
  expect(new Set(submissions.slice(1))).toEqual(new Set(["does not"]));
  // What this process has accepted since counts too.
  await submit();
  expect([submissions[0], submissions.at(-1)]).toEqual(["counts", "counts"]);
  // So does what others have accepted, a second later.
  elapsed += 1001;
  pending = 600;
  await submit();
  await submit();
  expect(submissions.slice(-2)).toEqual(["counts", "counts"]);
});

it("a submission counts the pending tasks of an owner of many only where they might be too many", async () => {
  let pending = 100;
  let elapsed = 0;
  const { submissions, tables } = recordedSubmissions({
    pending: (sql) => (sql.includes("owner =") ? pending : 1_000_000),
    countsWith: "AS of_owner",
  });
  const submitTo = (pendingOfOwner: number) => {
    const limits = { pendingOfOwner, pending: 1e9, resultSeconds: 1, rowSeconds: 1 };
    const store = new TaskStore(tables, limits, () => elapsed);
    return async (owner: string) => {
      await store.submit(newTask(owner));
      await settle();
    };
  };
  const submit = submitTo(1000);
  await submit("a");
  for (let more = 0; more < 399; more++) await submit("a");
  expect(submissions[0]).toBe("counts");
  expect(new Set(submissions.slice(1))).toEqual(new Set(["does not"]));
  // What this process has accepted since counts too, and nothing is known of another owner.
  await submit("a");
  await submit("b");
  await submit("b");
  expect(submissions.slice(-3)).toEqual(["counts", "counts", "does not"]);
  // So does what others have accepted, a second later.
  elapsed += 1001;
  pending = 600;
  for (let more = 0; more < 2; more++) await submit("b");
  expect(submissions.slice(-1)).toEqual(["counts"]);
  // Where few may wait, they are counted each time: the limit is exact.
  const exact = submitTo(200);
  pending = 0;
  for (let more = 0; more < 3; more++) await exact("c");
  expect(submissions.slice(-3)).toEqual(["counts", "counts", "counts"]);
});

it("a submission counts by itself after a count that failed", async () => {
  let fails = false;
  let elapsed = 0;
  const { submissions, tables } = recordedSubmissions({
    pending: () => {
      if (fails) throw new Error("the database is away");
      return 0;
    },
    countsWith: "AS of_owner",
  });
  const limits = { pendingOfOwner: 1000, pending: 1e9, resultSeconds: 1, rowSeconds: 1 };
  const store = new TaskStore(tables, limits, () => elapsed);
  for (const next of [0, 0, 1001, 0]) {
    elapsed += next;
    fails = elapsed > 0;
    await store.submit(newTask("a"));
    await settle();
  }
  expect(submissions).toEqual(["counts", "does not", "does not", "counts"]);
});

it("positions that take long to read are read while the old ones are told", async () => {
  let elapsed = 0;
  let answer: (ids: { id: string }[]) => void = () => {};
  const waiting = () => new Promise<{ id: string }[]>((resolve) => (answer = resolve));
  const reader = new TaskReader({} as never, { waiting }, {} as never, () => elapsed);
  const task = { id: "b", status: "PENDING" } as Task;
  const first = reader.position(task);
  elapsed = 200;
  answer([{ id: "a" }, { id: "b" }]);
  expect(await first).toBe(2);
  elapsed = 3900;
  expect(await reader.position(task)).toBe(2);
  elapsed = 4001;
  expect(await reader.position(task)).toBe(2);
  answer([{ id: "b" }]);
  await settle();
  expect(await reader.position(task)).toBe(1);
});

it("what is stored is measured beside the requests where that takes long", async () => {
  let elapsed = 0;
  let end: () => void = () => {};
  const $queryRaw = async () => {
    await new Promise<void>((resolve) => (end = resolve));
    return [];
  };
  const limits = { bytesOfOwner: 1, bytes: 1, minFreeBytes: 0, deleteOldest: false };
  const log = { info() {}, warn() {}, error() {} };
  const deps = {
    tables: { $queryRaw } as never,
    blobs: { delete: async () => {} },
    limits,
    freeBytes: async () => 1,
    log,
    monotonic: () => elapsed,
  };
  const storage = new Storage(deps);
  const first = storage.ensureSpace("a");
  await settle();
  elapsed = 300;
  end();
  await first;
  elapsed += 6001;
  await storage.ensureSpace("a");
  // Twice as old it is not used any more.
  elapsed += 6001;
  let ended = false;
  const third = storage.ensureSpace("a").then(() => (ended = true));
  await settle();
  expect(ended).toBe(false);
  end();
  await third;
});
