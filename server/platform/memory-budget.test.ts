import { expect, it } from "vitest";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { MIN_MEMORY_MB, memoryBudget } from "./memory-budget.ts";

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
