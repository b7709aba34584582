import { expect, it } from "vitest";
import { bodyLimits } from "#lib/contract/limits.ts";
import { readEnv } from "./env.ts";
import {
  MIN_MEMORY_MB,
  maxConnectionsOf,
  memoryBudget,
  openFilesOf,
  processesOf,
  refusedAtOnceOf,
} from "./process-share.ts";

const sum = (parts: Readonly<Record<string, number>>) => Object.values(parts).reduce((a, b) => a + b, 0);

it("gives all parts together no more than the budget, and every part more than nothing", () => {
  for (const cores of [1, 2, 3, 4, 16, 64]) {
    for (let memoryMb = MIN_MEMORY_MB; memoryMb < 5000; memoryMb += 7) {
      const { parts, demoThreads, chunkCacheBytes, stepCacheBytes, frameCacheBytes } = memoryBudget(
        memoryMb,
        cores,
      );
      expect(sum(parts)).toBeLessThanOrEqual(memoryMb + 1e-6);
      expect(Math.min(...Object.values(parts), demoThreads.requests, demoThreads.tasks)).toBeGreaterThan(0);
      expect(Math.min(chunkCacheBytes, stepCacheBytes, frameCacheBytes)).toBeGreaterThan(8 * 2 ** 20);
      expect(demoThreads.requests).toBeLessThanOrEqual(cores);
    }
  }
});

it("gives more memory to caches, not to ever more threads", () => {
  const [some, more] = [memoryBudget(1024, 16), memoryBudget(4096, 16)];
  expect(more.demoThreads).toEqual(some.demoThreads);
  expect(more.chunkCacheBytes).toBeGreaterThan(4 * some.chunkCacheBytes);
});

it("refuses a budget that does not hold the process, or a chunk cache that leaves nothing for the rest", () => {
  expect(() => memoryBudget(MIN_MEMORY_MB - 1, 2)).toThrow(`at least ${MIN_MEMORY_MB}`);
  expect(memoryBudget(2048, 2, 256).chunkCacheBytes).toBe(256 * 2 ** 20);
  expect(() => memoryBudget(512, 2, 256)).toThrow(/^more than 512, or CHUNK_CACHE_MB at most \d+/);
});

it("leaves room for two large bodies at any budget, and never all of it to one address", () => {
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

it("is one process with the whole budget by default, and whatever only computes or fetches is one too", () => {
  expect(of({})).toEqual({ count: 1, memoryMb: 512 });
  expect(of({ MEMORY_MB: "2000" })).toEqual({ count: 1, memoryMb: 2000 });
  for (const ROLE of ["worker", "ingest"]) expect(of({ PROCESSES: "4", ROLE }).count).toBe(1);
  expect(of({ PROCESSES: "4", NODE_ENV: "development" }).count).toBe(1);
});

it("divides MEMORY_MB among the processes, after the one that supervises them", () => {
  expect(of({ PROCESSES: "2", MEMORY_MB: "1200" })).toEqual({ count: 2, memoryMb: 568 });
  expect(of({ PROCESSES: "3", ROLE: "web" })).toEqual({ count: 3, memoryMb: 490 });
  const { processes, memory } = readEnv({ PROCESSES: "2", MEMORY_MB: "1200" });
  expect(processes).toBe(2);
  const parts = Object.values(memory.parts).reduce((sum, part) => sum + part, 0);
  expect(Math.round(2 * parts + 64)).toBeLessThanOrEqual(1200);
});

it("auto takes a core for each process, as far as the memory goes", () => {
  expect(of({ PROCESSES: "auto" })).toEqual({ count: 4, memoryMb: 496 });
  expect(processesOf({ PROCESSES: "auto" }, { cores: 4, memoryMb: 2048 }).count).toBe(2);
  expect(processesOf({ PROCESSES: "auto" }, { cores: 4, memoryMb: 900 })).toEqual({
    count: 1,
    memoryMb: 512,
  });
  expect(of({ PROCESSES: "auto", MEMORY_MB: "1500" })).toEqual({ count: 3, memoryMb: 478 });
  expect(of({ PROCESSES: "auto", MEMORY_MB: "512" })).toEqual({ count: 1, memoryMb: 512 });
});

it("says how much memory so many processes need, and that the embedded database has few connections", () => {
  expect(() => readEnv({ PROCESSES: "2", MEMORY_MB: "600" })).toThrow(
    "MEMORY_MB: at least 972 for 2 processes, which divide it",
  );
  expect(() => readEnv({ PROCESSES: "20" })).toThrow("PROCESSES: at most 16 with the embedded database");
  expect(readEnv({ PROCESSES: "20", DATABASE_URL: "postgresql://u@h/d" }).processes).toBe(20);
  for (const wrong of ["0", "65", "1.5", "all"]) {
    expect(() => readEnv({ PROCESSES: wrong })).toThrow('PROCESSES: "auto" or a whole number from 1 to 64');
  }
});

it("divides the connections that are allowed", () => {
  const { connections } = readEnv({
    PROCESSES: "2",
    MAX_CONNECTIONS: "100",
    MAX_CONNECTIONS_PER_ADDRESS: "30",
  });
  expect(connections).toMatchObject({ all: 50, ofAddress: 15 });
});

it("of the descriptors of a process, some are left for files and the database: 768 of 1,024 are for connections", () => {
  expect(maxConnectionsOf(1024)).toBe(768);
  expect(maxConnectionsOf(1_048_576)).toBe(1_048_320);
  expect(maxConnectionsOf(256)).toBe(128);
  expect(maxConnectionsOf(undefined)).toBe(Number.POSITIVE_INFINITY);
});

it("as many refused connections are answered at once as descriptors are left, and some in any case", () => {
  expect(refusedAtOnceOf(1024, 768)).toBe(64);
  expect(refusedAtOnceOf(1024, 100)).toBe(668);
  expect(refusedAtOnceOf(524_288, 4096)).toBe(2048);
  expect(refusedAtOnceOf(undefined, 4096)).toBe(2048);
});

it("reads the limit in force from Linux's table, and takes no word for a number", () => {
  const table = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax core file size        0                    unlimited            bytes     \nMax open files            ${soft}                524288               files     \n`;
  expect(openFilesOf(table("1024"))).toBe(1024);
  expect(openFilesOf(table("unlimited"))).toBeUndefined();
  expect(openFilesOf("")).toBeUndefined();
});
