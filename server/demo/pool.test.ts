import { afterAll, beforeAll, expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { demoWorld, demoWorldFolder } from "#test/demo-world.ts";
import { computeChunks } from "./compute-chunks.ts";
import { type DemoPool, demoPool } from "./pool.ts";
import { demoManifest } from "./runs.ts";

const { runs } = demoManifest(parseInstant("2026-09-15T12:00:00Z"));
const folder = `${runs[1]!.path}/points/eastward_wind_10m`;
const numbers = [70_000, 70_001, 70_002, 90_000, 90_001];

let pool: DemoPool;
beforeAll(async () => {
  const world = demoWorld();
  pool = demoPool({ seed: world.seed, folder: demoWorldFolder() });
  await pool.warm();
});
afterAll(() => pool.close());

it("computes in its threads what this thread computes, in the order asked for", async () => {
  const parts = await pool.compute(folder, numbers);
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  let from = 0;
  for (const { fields, buffer } of parts) {
    const count = buffer.byteLength / fields.length / (2 * 512 + 4);
    const here = computeChunks(demoWorld(), { folder, chunks: numbers.slice(from, from + count), stopped })!;
    expect(fields).toEqual(here.fields);
    expect(Buffer.compare(new Uint8Array(buffer), new Uint8Array(here.buffer))).toBe(0);
    from += count;
  }
  expect(from).toBe(numbers.length);
});

it("fails only the question that cannot be answered", async () => {
  const [wrong, right] = await Promise.allSettled([
    pool.compute("runs/none/points/none", [0]),
    pool.compute(folder, [70_000]),
  ]);
  expect(wrong).toMatchObject({ status: "rejected", reason: expect.any(RangeError) });
  expect(right.status).toBe("fulfilled");
  expect(await pool.compute(folder, [70_000])).toHaveLength(1);
});

it("leaves off when nobody wants the answer any more, and its threads stay alive for the next", async () => {
  const controller = new AbortController();
  const many = Array.from({ length: 100_000 }, (_, number) => number);
  const asked = pool.compute(folder, many, controller.signal);
  const reason = new Error("gone");
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await expect(pool.compute(folder, [1], controller.signal)).rejects.toBe(reason);
  expect(await pool.compute(folder, [70_000])).toHaveLength(1);
});

it("computes a small question between the parts of a large one", async () => {
  const world = demoWorld();
  const shared = await pool.warm();
  const single = demoPool({ seed: world.seed, folder: demoWorldFolder() }, 1, shared);
  const ended: string[] = [];
  const cells = (count: number) =>
    Int32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? 1 : i % 700));
  const ask = async (name: string, answer: Promise<unknown>) => {
    await answer;
    ended.push(name);
  };
  try {
    await Promise.all([
      ask("large", single.computeCells(folder, cells(1000))),
      ask(
        "chunks",
        single.compute(
          folder,
          Array.from({ length: 100 }, (_, number) => number),
        ),
      ),
      ask("small", single.compute(folder, [70_000])),
    ]);
  } finally {
    await single.close();
  }
  expect(ended).toEqual(["small", "large", "chunks"]);
});
