import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asyncStore, columnsOf, SMALL_ARCHIVE_FIELD as FIELD, smallArchive } from "#test/archive.ts";
import { directoryStore } from "./directory-store.ts";
import { openReader } from "./reader.ts";
import type { Run } from "./run.ts";

const CACHE_BYTES = 16 * 1024 * 1024;
const never = new AbortController().signal;

describe("damaged data", () => {
  it("fails the request with an explanation, whichever byte of a chunk or index is damaged, and never returns a number", async () => {
    const { root, run, points } = await smallArchive();
    const shard = join(root, run.path, "points", FIELD, "c.0.0.0");
    const good = readFileSync(shard);
    for (let at = 0; at < good.length; at += 29) {
      const bad = Buffer.from(good);
      bad[at]! ^= 0x10;
      writeFileSync(shard, bad);
      await expectDamage(root, run, points);
    }
    writeFileSync(shard, good.subarray(0, good.length - 100));
    await expectDamage(root, run, points);
  });

  async function expectDamage(root: string, run: Run, points: ReturnType<typeof columnsOf>): Promise<void> {
    const out = new Float64Array(points.count).fill(77);
    for (const store of [directoryStore(root), asyncStore(directoryStore(root))]) {
      const reader = openReader(store, { cacheBytes: CACHE_BYTES });
      const reading = async () => reader.valuesAt(run, FIELD, points, undefined, out, never);
      await expect(reading()).rejects.toThrow(`The stored ${FIELD} of ${run.id} is damaged`);
    }
    expect([...out].every((value) => value === 77)).toBe(true);
  }
});

describe("an aborted request", () => {
  it("ends before it reads anything", async () => {
    const { run, reader, points } = await smallArchive();
    const out = new Float64Array(points.count);
    const reason = new Error("gone");
    const reading = reader.valuesAt(run, FIELD, points, undefined, out, AbortSignal.abort(reason));
    await expect(reading).rejects.toThrow(reason);
    await expect(reader.mapStep(run, FIELD, 0, 1, AbortSignal.abort(reason))).rejects.toThrow(reason);
  });

  it("ends when it yields to other requests", async () => {
    const { run, root } = await smallArchive();
    const controller = new AbortController();
    let now = 0;
    const monotonic = () => {
      now += 10;
      if (now > 50) controller.abort(new Error("gone"));
      return now;
    };
    const reader = openReader(directoryStore(root), { cacheBytes: CACHE_BYTES, monotonic });
    const points = columnsOf(Array.from({ length: 200_000 }, () => [40.1, -9.9, run.times[0]!]));
    const out = new Float64Array(points.count);
    await expect(reader.valuesAt(run, FIELD, points, undefined, out, controller.signal)).rejects.toThrow(
      "gone",
    );
    expect(out.at(-1)).toBe(0);
  });
});
