import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { UnavailableError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { ThreadEndedError } from "#server/platform/worker-pool.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore } from "#test/tasks.ts";
import { putGzip } from "./gzip-blobs.ts";
import { pieceName } from "./pieces.ts";
import { LEASE_SECONDS } from "./queue.ts";
import type { TaskLog } from "./task.ts";
import { PiecesLostError, type RunTask, TaskWorker } from "./worker.ts";

const silent = { info() {}, warn() {}, error() {} };

describeWithDatabase("the worker of tasks", (fresh) => {
  const folders = temporaryFolders();
  let test: TestStore;
  let ms: number;
  beforeAll(async () => {
    test = await openTestStore(await fresh(), { pendingOfOwner: 100, pending: 1000 });
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    ms = 0;
  });

  const blobs = folderBlobStore(folders());
  const submit = async (owner: string, size = 1000) => {
    const task = newTask(owner, { size });
    expect(await test.store.submit(task)).toBe("taken");
    test.pass(1);
    return task.id;
  };
  const row = (id: string) => test.database.prisma.task.findUniqueOrThrow({ where: { id } });
  const worker = (run: RunTask, more: { concurrency?: number; maxSeconds?: number; log?: TaskLog } = {}) =>
    new TaskWorker({
      queue: test.queue,
      blobs,
      run,
      log: silent,
      concurrency: 2,
      maxSeconds: 60,
      elapsed: () => ms,
      ...more,
    });
  /** Runs what is due now and within the given seconds. */
  const work = async (worker: TaskWorker, seconds = 0) => {
    for (let second = 0; second <= seconds; second++) {
      await worker.poll();
      await worker.idle();
      test.pass(1);
    }
  };
  const succeed: RunTask = async (_task, file) => {
    const stored = await putGzip(blobs, file, [Buffer.from("{}")]);
    const finishedAt = test.clock.now() * 1000;
    return { stored, synthetic: false, finishedAt, expiresAt: finishedAt + 1000 };
  };
  const store = (key: string) =>
    blobs.put(
      key,
      (async function* () {
        yield Buffer.from("a piece");
      })(),
    );
  const left = async () => {
    const keys: string[] = [];
    for await (const { key } of blobs.list()) if (key.endsWith(".piece")) keys.push(key);
    return keys;
  };

  it("fails only the task that ends its thread, not those beside it", async () => {
    const [guilty, ...innocent] = [await submit("a"), await submit("b"), await submit("c", 1)];
    const deaths: string[] = [];
    const alone: string[] = [];
    let inThread = new Set<() => void>();
    const run: RunTask = async (task, file, hooks) => {
      if (task.runsAlone) {
        alone.push(task.id);
        if (task.id === guilty) throw new ThreadEndedError("out of memory");
        return succeed(task, file, hooks);
      }
      // All three tasks are in the thread before it ends.
      await new Promise<void>((resolve) => {
        inThread.add(resolve);
        if (inThread.size === 3) for (const end of inThread) end();
      });
      deaths.push(task.id);
      throw new ThreadEndedError("out of memory");
    };
    await work(worker(run), 10);
    inThread = new Set();
    expect(deaths.toSorted()).toEqual([guilty, ...innocent].toSorted());
    for (const id of innocent) expect(await row(id)).toMatchObject({ status: "SUCCESS", failures: 0 });
    expect(await row(guilty)).toMatchObject({ status: "FAILURE" });
    expect(alone.filter((id) => id === guilty)).toHaveLength(3);
  });

  it.each([
    ["a full disk", Object.assign(new Error("write"), { code: "ENOSPC" })],
    [
      "a disk that fails, as the cause",
      new Error("put", { cause: Object.assign(new Error(), { code: "EIO" }) }),
    ],
    ["an outage of our own", new UnavailableError("the store is away", 10)],
  ])("never counts %s: the task waits, and continues by itself", async (_, failure) => {
    const id = await submit("a");
    let fails = 30;
    const attempts: number[] = [];
    const run: RunTask = async (...args) => {
      attempts.push(test.clock.now());
      if (fails-- > 0) throw failure;
      return succeed(...args);
    };
    const one = worker(run);
    await work(one, 400);
    expect(await row(id)).toMatchObject({ status: "PENDING", failures: 0 });
    const waits = attempts.slice(1).map((at, index) => at - attempts[index]!);
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
    expect(Math.max(...waits)).toBe(30);
    fails = 0;
    await work(one, 30);
    expect(await row(id)).toMatchObject({ status: "SUCCESS" });
  });

  it("releases its pieces at once when it closes, and ignores what they still write", async () => {
    const id = await submit("a");
    const { promise: gate, resolve: stop } = Promise.withResolvers<void>();
    const closing = worker(async (...args) => {
      await gate;
      return succeed(...args);
    });
    await closing.poll();
    const closed = closing.close();
    // No time passes, so nothing has waited for a lease to end.
    await vi.waitFor(async () => expect((await row(id)).leaseUntil).toBeNull());
    await work(worker(succeed));
    const ended = await row(id);
    expect(ended).toMatchObject({
      status: "SUCCESS",
      token: 2,
      interruptions: 0,
      resultFile: `${id}.2.result`,
    });
    stop();
    await closed;
    expect(await row(id)).toEqual(ended);
  });

  it("limits the time that a task computes, not the time that it waits or shares", async () => {
    const ids = [await submit("a"), await submit("b")];
    const stopped: string[] = [];
    const endless = worker(
      async (task, _file, { signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        stopped.push(task.id);
        throw signal.reason;
      },
      { maxSeconds: 60 },
    );
    await endless.poll();
    // Two pieces share the time: after 100 s each has computed for 50 s.
    ms += 100_000;
    await endless.poll();
    expect(stopped).toEqual([]);
    ms += 22_000;
    await endless.poll();
    await endless.idle();
    expect(stopped.toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect((await row(id)).error).toContain("longer than 60 seconds");

    const id = await submit("a");
    const slow: RunTask = async (task) => {
      ms += 25_000;
      await store(pieceName(task));
      return { share: (task.pieces.length + 1) / 10, bytes: 1 };
    };
    await work(worker(slow));
    expect(await row(id)).toMatchObject({ status: "FAILURE", computedMs: 75_000 });
    expect(await left()).toEqual([]);

    const late = await submit("a");
    test.pass(86_400);
    ms += 86_400_000;
    await work(worker(succeed));
    expect(await row(late)).toMatchObject({ status: "SUCCESS" });
  });

  it("starts a task again when its pieces are lost, and fails nothing", async () => {
    const id = await submit("a");
    const seen: number[] = [];
    await work(
      worker(async (task, ...rest) => {
        seen.push(task.pieces.length);
        if (seen.length === 3) throw new PiecesLostError("a piece is damaged");
        if (seen.length === 6) return succeed(task, ...rest);
        await store(pieceName(task));
        return { share: (task.pieces.length + 1) / 3, bytes: 1 };
      }),
    );
    expect(seen).toEqual([0, 1, 2, 0, 1, 2]);
    expect(await row(id)).toMatchObject({ status: "SUCCESS", failures: 0 });
    expect(await left()).toEqual([]);
  });

  it("abandons a task whose process died twenty times at one piece", async () => {
    const id = await submit("a");
    for (let killed = 0; killed < 21; killed++) {
      expect((await test.queue.claim())?.id).toBe(id);
      test.pass(LEASE_SECONDS + 1);
    }
    await work(worker(succeed));
    expect((await row(id)).error).toContain("interrupted 20 times");
  });
});
