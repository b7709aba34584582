import { expect, it } from "vitest";
import { bodyLimits } from "#lib/contract/limits.ts";
import { readEnv } from "./env.ts";
import { connectionShareOf, MIN_MEMORY_MB, memoryBudget, processesOf } from "./process-share.ts";

it("gives every part some memory at any budget, and uses no more threads for requests than cores", () => {
  for (const cores of [1, 2, 4, 64])
    for (let memoryMb = MIN_MEMORY_MB; memoryMb < 5000; memoryMb += 70) {
      const { demoThreads, chunkCacheBytes, stepCacheBytes, frameCacheBytes } = memoryBudget(memoryMb, cores);
      expect(Math.min(chunkCacheBytes, stepCacheBytes, frameCacheBytes)).toBeGreaterThan(8 * 2 ** 20);
      expect(Math.min(demoThreads.requests, demoThreads.tasks)).toBeGreaterThan(0);
      expect(demoThreads.requests).toBeLessThanOrEqual(cores);
    }
});

it("refuses a budget that is too small for the process", () => {
  expect(() => memoryBudget(MIN_MEMORY_MB - 1, 2)).toThrow(`at least ${MIN_MEMORY_MB}`);
});

it("leaves memory for two large bodies at any budget, and never all of it to one address", () => {
  for (const memoryMb of [MIN_MEMORY_MB, 512, 800, 1024, 8192]) {
    const { all, ofAddress } = memoryBudget(memoryMb, 2).bodyBytes;
    expect(all).toBeGreaterThanOrEqual(2 * bodyLimits.async);
    expect(all).toBeLessThanOrEqual(128 * 2 ** 20);
    expect(ofAddress).toBeGreaterThan(bodyLimits.async);
    expect(ofAddress).toBeLessThan(all);
  }
});

const machine = { cores: 4, memoryMb: 8192 };
const of = (given: Parameters<typeof processesOf>[0]) => processesOf(given, machine);

it("uses one process with the whole budget by default, and for a role that only computes or fetches", () => {
  expect(of({})).toEqual({ count: 1, memoryMb: 512 });
  expect(of({ MEMORY_MB: "2000" })).toEqual({ count: 1, memoryMb: 2000 });
  for (const ROLE of ["worker", "ingest"]) expect(of({ PROCESSES: "4", ROLE }).count).toBe(1);
  expect(of({ PROCESSES: "4", NODE_ENV: "development" }).count).toBe(1);
});

it("divides MEMORY_MB among the processes, less the memory of the supervisor", () => {
  expect(of({ PROCESSES: "2", MEMORY_MB: "1200" })).toEqual({ count: 2, memoryMb: 568 });
  expect(of({ PROCESSES: "3", ROLE: "web" })).toEqual({ count: 3, memoryMb: 490 });
  const { processes, memory, cores } = readEnv({ PROCESSES: "2", MEMORY_MB: "1200" });
  expect([processes, memory]).toEqual([2, memoryBudget(568, cores)]);
});

it("auto uses one process per core, as far as memory allows", () => {
  expect(of({ PROCESSES: "auto" })).toEqual({ count: 4, memoryMb: 496 });
  expect(processesOf({ PROCESSES: "auto" }, { cores: 4, memoryMb: 2048 }).count).toBe(2);
  expect(processesOf({ PROCESSES: "auto" }, { cores: 4, memoryMb: 900 })).toEqual({
    count: 1,
    memoryMb: 512,
  });
  expect(of({ PROCESSES: "auto", MEMORY_MB: "1500" })).toEqual({ count: 3, memoryMb: 478 });
  expect(of({ PROCESSES: "auto", MEMORY_MB: "512" })).toEqual({ count: 1, memoryMb: 512 });
});

it("says how much memory the processes need, and that the embedded database has few connections", () => {
  expect(() => readEnv({ PROCESSES: "2", MEMORY_MB: "600" })).toThrow(
    "MEMORY_MB: at least 956 for 2 processes, which divide it",
  );
  expect(() => readEnv({ PROCESSES: "20" })).toThrow("PROCESSES: at most 16 with the embedded database");
  expect(readEnv({ PROCESSES: "20", DATABASE_URL: "postgresql://u@h/d" }).processes).toBe(20);
  for (const wrong of ["0", "65", "1.5", "all"]) {
    expect(() => readEnv({ PROCESSES: wrong })).toThrow('PROCESSES: "auto" or a whole number from 1 to 64');
  }
});

it.each([
  // Some descriptors are left for files and the database, and for refusing further clients.
  [1024, 1e6, { all: 768, refusedAtOnce: 64 }],
  [256, 1e6, { all: 128, refusedAtOnce: 64 }],
  [1024, 100, { all: 100, refusedAtOnce: 668 }],
  [1_048_576, 4096, { all: 4096, refusedAtOnce: 2048 }],
  [undefined, 100, { all: 100 }],
  [Number.POSITIVE_INFINITY, 4096, { all: 4096, refusedAtOnce: 2048 }],
])("divides %s descriptors, of which %i may be connections, into %o", (descriptors, allowed, expected) => {
  const read = { MAX_CONNECTIONS: allowed, TRUSTED_PROXIES: 0 };
  expect(connectionShareOf(read, 1, descriptors)).toMatchObject(expected);
});

it("divides the allowed connections among the processes", () => {
  const read = { MAX_CONNECTIONS: 100, MAX_CONNECTIONS_PER_ADDRESS: 30, TRUSTED_PROXIES: 0 };
  expect(connectionShareOf(read, 2)).toMatchObject({ all: 50, ofAddress: 15 });
});
