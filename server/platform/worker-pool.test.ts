import { afterAll, afterEach, expect, it } from "vitest";
import { ProcessingError } from "./errors.ts";
import {
  type CallOptions,
  ThreadEndedError,
  WorkerError,
  type WorkerPool,
  type WorkerPoolOptions,
  workerPool,
} from "./worker-pool.ts";

const entry = new URL("../../test/processes/pool-worker.ts", import.meta.url);
const pools: WorkerPool[] = [];

function open(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const limits = { maxOldGenerationSizeMb: 64 };
  const pool = workerPool({
    entry,
    concurrency: 4,
    idleMs: 60_000,
    limits,
    errors: [ProcessingError],
    ...options,
  });
  pools.push(pool);
  return pool;
}

const shared = open();
const call = (name: string, options?: CallOptions) => shared.call(name, 1, options);

afterEach(async () => {
  for (const pool of pools.splice(1)) await pool.terminate();
});
afterAll(() => shared.terminate());

it("returns the result and reports progress before it", async () => {
  const reported: number[] = [];
  const onProgress = (share: number) => void reported.push(share);
  expect(await call("succeed", { onProgress })).toEqual({ input: 1 });
  expect(reported).toEqual([0.5]);
  expect(await shared.call("transfer", 3)).toEqual(Uint8Array.of(7, 7, 7));
});

it("throws listed error classes and their subclasses as such, and any other error with its stack for the log", async () => {
  await expect(call("refuse")).rejects.toThrow(ProcessingError);
  await expect(call("refuse")).rejects.toThrow("for its owner");
  await expect(call("crash")).rejects.toThrow(WorkerError);
  await expect(call("crash")).rejects.toMatchObject({
    message: "for the log",
    stack: expect.stringContaining("processes/pool-worker.ts"),
  });
});

it("stops one call with the caller's reason, and leaves other calls in the same thread alone", async () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const other = call("runUntilStopped", two);
  const stopped = call("runUntilStopped", one);
  await call("succeed");
  one.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  expect(await call("succeed")).toEqual({ input: 1 });
  two.abort(new Error("also stopped"));
  await expect(other).rejects.toThrow("also stopped");
  const signal = AbortSignal.abort(new Error("too late"));
  await expect(call("succeed", { signal })).rejects.toThrow("too late");
});

it("terminates a thread that does not stop, and starts another for the next call", async () => {
  const pool = open({ graceMs: 50 });
  const stop = new AbortController();
  const deaf = pool.call("ignoreStop", 1, stop);
  await pool.call("succeed", 1);
  stop.abort(new Error("stopped"));
  await expect(deaf).rejects.toThrow("stopped");
  expect(await pool.call("succeed", 2)).toEqual({ input: 2 });
});

it.each(["exit", "exhaustMemory"])(
  "a thread that ends by %s fails the calls that it ran, and the next call has a new thread",
  async (name) => {
    const beside = call("runUntilStopped");
    await Promise.all([
      expect(call(name)).rejects.toThrow(ThreadEndedError),
      expect(beside).rejects.toThrow(ThreadEndedError),
    ]);
    expect(await call("succeed")).toEqual({ input: 1 });
  },
);

it("a module that cannot be loaded, or lacks the function, fails the call", async () => {
  await expect(open({ entry: new URL("none.ts", entry) }).call("succeed", 1)).rejects.toThrow(
    ThreadEndedError,
  );
  await expect(call("none")).rejects.toThrow(ThreadEndedError);
  expect(await call("succeed")).toEqual({ input: 1 });
});
