import { expect, it } from "vitest";
import { simulateDay } from "#bench/viewers/day.ts";
import { SharedCache } from "#bench/viewers/shared-cache.ts";

it("a shared cache keeps what is public for its time, and drops what was used least", () => {
  const cache = new SharedCache(100);
  const put = (key: string, bytes = 40, control = "public, max-age=10, immutable") =>
    cache.put(key, bytes, control, 0);
  put("a");
  put("b");
  put("private", 1, "private, max-age=10");
  put("large", 101);
  expect(["a", "b", "private", "large"].map((key) => cache.has(key, 9))).toEqual([true, true, false, false]);
  expect(cache.has("a", 10)).toBe(false);
  put("a");
  cache.has("b", 1);
  put("c");
  expect(["a", "b", "c"].map((key) => cache.has(key, 2))).toEqual([false, true, true]);
});

it("a simulated day is the same each time; larger and fewer caches answer more, and none more than was asked", () => {
  const networks = [
    { edges: 1, hasShield: false, cacheBytes: 10e9 },
    { edges: 1, hasShield: false, cacheBytes: 5e6 },
    { edges: 10, hasShield: false, cacheBytes: 10e9 },
    { edges: 10, hasShield: true, cacheBytes: 10e9 },
  ];
  const day = simulateDay(60, networks, 7);
  expect(simulateDay(60, networks, 7)).toEqual(day);
  const [one, small, edges, shield] = day.origins.map(({ requests }) => requests);
  expect(day.asked.requests).toBeGreaterThan(1000);
  expect(one).toBeLessThan(small!);
  expect(one).toBeLessThan(edges!);
  expect(shield).toBe(one);
  expect(Math.max(small!, edges!)).toBeLessThanOrEqual(day.asked.requests);
  expect(day.asked.peak).toBeGreaterThan(0);
});
