import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { BlobEntry } from "#server/platform/blob-store.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { TaskEvents } from "#server/tasks/events.ts";
import { TaskQueue } from "#server/tasks/queue.ts";
import { TaskReader } from "#server/tasks/reader.ts";
import { Retention } from "#server/tasks/retention.ts";
import { Storage } from "#server/tasks/storage.ts";
import { type NewTask, TaskStore } from "#server/tasks/store.ts";
import type { Task } from "#server/tasks/task.ts";
import { fillTasks, GREEDY_OWNER, type Mix, mixOf, WAITING_OWNERS, waitingOwner } from "#test/many-tasks.ts";

const SMALL = 1_000;
const LARGE = 1_000_000;
const ROUNDS = 200;
/** What takes long or changes much is done less often. */
const FEW_ROUNDS = 30;
const SWEPT_ROUNDS = 60;
const LIMIT = 1.5;

const limits = { pendingOfOwner: 1e6, pending: 1e6, resultSeconds: 7 * 86_400, rowSeconds: 30 * 86_400 };
const log = { info() {}, warn() {}, error() {} };

/**
 * What acceptance, claims, lists, states and sweeps take among 1,000,000 tasks and among 1,000 (`--tasks` for another
 * number), alternating, on two embedded databases. See `mixOf` for who has them.
 */
export async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: { tasks: { type: "string" } },
    allowPositionals: true,
    strict: false,
  });
  const sides = [await openSide(SMALL), await openSide(Number(values.tasks ?? LARGE))];
  try {
    for (const [name, { rounds, warmUp = 0, run }] of Object.entries(operations)) {
      for (let round = 0; round < warmUp; round++) for (const side of sides) await run(side, round);
      const times: number[][] = sides.map(() => []);
      for (let round = 0; round < rounds; round++) {
        for (const [index, side] of sides.entries()) times[index]!.push(await run(side, round));
      }
      const [few, many] = times.map(quantiles);
      const ratio = many!.p99 / few!.p99;
      console.log(
        `${name.padEnd(34)} ${text(few!)} → ${text(many!)}  p99 ×${ratio.toFixed(2)} (limit ${LIMIT}), p50 ×${(many!.p50 / few!.p50).toFixed(2)}`,
      );
    }
  } finally {
    for (const side of sides) await side.close();
  }
}

interface Side {
  mix: Mix;
  database: Database;
  store: TaskStore;
  queue: TaskQueue;
  reader: TaskReader;
  events: TaskEvents;
  ended: string[];
  pages: Task[][];
  close(): Promise<void>;
}

async function openSide(count: number): Promise<Side> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-many-tasks-"));
  const database = await openDatabase({ dataDir: folder });
  const { prisma } = database;
  const mix = mixOf(count);
  const began = performance.now();
  await fillTasks(prisma, mix);
  console.log(`${count} tasks written in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const store = new TaskStore(prisma, limits);
  const queue = new TaskQueue(prisma, limits);
  const blobs = { read: noBlobs, list: noBlobs } as never;
  const reader = new TaskReader(store, queue, blobs);
  const position = (task: Task) => reader.position(task);
  const listen = () => ({ close: async () => {} }) as never;
  const events = new TaskEvents({ tables: prisma, position, listen, invalidKeys: async () => [], log });
  const pages = [await store.list(GREEDY_OWNER, undefined, 100)];
  const ended = await prisma.task.findMany({ where: { status: "SUCCESS" }, select: { id: true }, take: 500 });
  return {
    ...{ mix, database, store, queue, reader, events, pages },
    ended: ended.map(({ id }) => id),
    async close() {
      await events.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function* noBlobs(): AsyncGenerator<never> {}

interface Operation {
  rounds: number;
  /** Rounds before these, which are not measured. */
  warmUp?: number;
  /** @returns Milliseconds. */
  run(side: Side, round: number): Promise<number>;
}

const operations: Record<string, Operation> = {
  acceptance: {
    rounds: ROUNDS,
    // Who has tasks that wait has submitted before: only the first submission to a process counts them.
    warmUp: WAITING_OWNERS,
    run: ({ store }, round) => timed(() => store.submit(newTask(waitingOwner(round)))),
  },
  claim: {
    rounds: ROUNDS,
    async run({ queue }) {
      let claim: Awaited<ReturnType<typeof queue.claim>>;
      const took = await timed(async () => {
        claim = await queue.claim();
      });
      await queue.release(claim!, 0);
      return took;
    },
  },
  "list, first page": {
    rounds: ROUNDS,
    run: ({ store }) => timed(() => store.list(GREEDY_OWNER, undefined, 50)),
  },
  "list, later pages": {
    rounds: ROUNDS,
    async run({ store, pages }) {
      const last = pages.at(-1)!.at(-1)!;
      const took = await timed(async () => {
        pages.push(await store.list(GREEDY_OWNER, undefined, 50, last));
      });
      if (pages.at(-1)!.length < 50) pages.length = 1;
      return took;
    },
  },
  "list, those that failed": {
    rounds: ROUNDS,
    run: ({ store }) => timed(() => store.list(GREEDY_OWNER, "FAILURE", 50)),
  },
  "list, those that wait, of one": {
    rounds: ROUNDS,
    async run({ store, reader }, round) {
      return timed(async () => {
        for (const task of await store.list(waitingOwner(round), "PENDING", 50)) await reader.position(task);
      });
    },
  },
  "state of an ended task": {
    rounds: ROUNDS,
    run: ({ store, ended }, round) =>
      timed(async () => {
        const id = ended[round % ended.length]!;
        await store.find(GREEDY_OWNER, id);
        await store.secondsLeft(id);
      }),
  },
  "events of 50 tasks, one reading": {
    rounds: FEW_ROUNDS,
    async run({ events, store }, round) {
      const stop = new AbortController();
      for (let index = 0; index < 50; index++) {
        const [task] = await store.list(waitingOwner(index), "PENDING", 1);
        if (task) events.follow(`key ${index}`, task, stop.signal);
      }
      await events.tick();
      const took = await timed(() => events.tick());
      stop.abort();
      return round < 0 ? 0 : took;
    },
  },
  "sum of what is stored": {
    rounds: FEW_ROUNDS,
    run({ database }) {
      const blobs = { delete: async () => {} };
      const storageLimits = { bytesOfOwner: 1e12, bytes: 1e12, minFreeBytes: 0, deleteOldest: false };
      const freeBytes = async () => 1e12;
      const storage = new Storage({ tables: database.prisma, blobs, limits: storageLimits, freeBytes, log });
      return timed(() => storage.ensureSpace(GREEDY_OWNER));
    },
  },
  "sweep, nothing due": { rounds: FEW_ROUNDS, run: ({ database }) => timed(() => sweeper(database).sweep()) },
  // The smaller table has results for as many rounds and not for more.
  "sweep, three results and rows due": {
    rounds: SWEPT_ROUNDS,
    async run({ database }) {
      await database.prisma.$executeRaw`
        UPDATE task SET expires_at = now() - interval '1 second' WHERE id = ANY (ARRAY(
          SELECT id FROM task WHERE result_file IS NOT NULL AND expires_at > now() ORDER BY expires_at LIMIT 3))`;
      await database.prisma.$executeRaw`
        UPDATE task SET finished_at = now() - interval '31 days' WHERE id = ANY (ARRAY(
          SELECT id FROM task WHERE finished_at > now() - interval '30 days' ORDER BY finished_at LIMIT 3))`;
      return timed(() => sweeper(database).sweep());
    },
  },
  "sweep, 1,000 old blobs": {
    rounds: FEW_ROUNDS,
    run: ({ database, ended }) =>
      timed(() =>
        sweeper(
          database,
          ended.flatMap((id) => [`${id}.request`, `${id}.1.result`]),
        ).sweepOrphans(),
      ),
  },
};

function sweeper(database: Database, keys: string[] = []): Retention {
  const blobs = {
    list: () => listed(keys.map((key) => ({ key, bytes: 1, modified: 0 }))),
    delete: async () => {},
  };
  return new Retention({ tables: database.prisma, blobs, clock: { now: () => 1e10 }, limits });
}

async function* listed(blobs: BlobEntry[]): AsyncGenerator<BlobEntry> {
  yield* blobs;
}

function newTask(owner: string): NewTask {
  const id = randomUUID();
  return {
    ...{ id, owner, kind: "MetOcean", name: null, size: 10, weatherNow: 1_800_000_000 },
    ...{ receiveMail: false, mailTo: null, requestFile: `${id}.request`, requestBytes: 100 },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function quantiles(values: number[]): { p50: number; p99: number } {
  const sorted = values.sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  return { p50: at(0.5), p99: at(0.99) };
}

function text({ p50, p99 }: { p50: number; p99: number }): string {
  return `p50 ${p50.toFixed(1).padStart(6)}, p99 ${p99.toFixed(1).padStart(6)} ms`;
}
