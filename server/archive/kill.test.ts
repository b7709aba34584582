import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, vi } from "vitest";
import { columnsOf, newRun, publish, temporaryFolder } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { openCatalog } from "./catalog.ts";
import { directoryStore } from "./directory-store.ts";
import { readManifest } from "./manifest.ts";
import { openReader } from "./reader.ts";

/** `THOROUGH=1` kills ten times as often. */
const KILLS = process.env.THOROUGH === "1" ? 60 : 6;
vi.setConfig({ testTimeout: KILLS * 10_000 });

const fields = ["eastward_wind_10m", "northward_wind_10m"] as const;
const grid = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: -180, step: 5, count: 72 },
};

/** Publishes runs in which both fields have one number everywhere; each run has the next number. */
const publishInALoop = `
  import { beginRun } from ${JSON.stringify(new URL("./writer.ts", import.meta.url).href)};
  const [root, run, first] = process.argv.slice(1);
  for (let value = Number(first); ; value = (value + 1) % 300) {
    const writer = await beginRun(root, JSON.parse(run));
    console.log("began");
    for (const field of ${JSON.stringify(fields)})
      await writer.writeField(field, {}, async () => {
        console.log("step");
        return new Float32Array(${37 * 72}).fill(value);
      });
    console.log("written");
    await writer.publish();
    console.log("published");
  }
`;

it(`serves the old run or the new one, never a mixture, when its writer is killed at any moment (${KILLS} times)`, async () => {
  const root = temporaryFolder();
  const random = seeded(1);
  const run = newRun(grid, 4);
  await publish(root, run, Object.fromEntries(fields.map((field) => [field, steps(-1)])));
  let last = -1;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(
      process.execPath,
      ["--input-type=module", "-e", publishInALoop, root, JSON.stringify(run), String((last + 1) % 300)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    // After a random number of output lines and a short random delay: also in the middle of a publication.
    await killAfter(child, 1 + Math.floor(random() * 30), Math.floor(random() * 4000));
    last = await servedValue(root);
  }
  // The writers did publish before they were killed.
  expect(last).toBeGreaterThan(0);
  // Later than the time for which replaced runs stay.
  const clock = { now: () => Date.now() / 1000 + 3600 };
  const [before] = (await readManifest(root)).runs;
  const content = Object.fromEntries(fields.map((field) => [field, steps(-2)]));
  const after = await publish(root, run, content, { clock });
  expect(await servedValue(root)).toBe(-2);
  expect(readdirSync(root).sort()).toEqual(["manifest.json", "runs", "staging"]);
  expect(readdirSync(join(root, "staging"))).toEqual([]);
  expect(readdirSync(join(root, "runs"))).toEqual([after.id, before!.id].sort());
});

const steps = (value: number) => Array.from({ length: 4 }, () => new Float32Array(37 * 72).fill(value));

/** Kills a process after it has printed a number of words and this process has counted for a while. */
async function killAfter(child: ChildProcess, words: number, count: number): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let seen = 0;
  for await (const _ of createInterface({ input: child.stdout! })) {
    seen++;
    if (seen !== words) continue;
    for (let i = 0; i < count; i++) process.hrtime.bigint();
    child.kill("SIGKILL");
  }
  await ended;
  // A writer that ended by itself was never interrupted.
  expect(child.signalCode).toBe("SIGKILL");
}

/** The one number in the whole archive. */
async function servedValue(root: string): Promise<number> {
  const store = directoryStore(root);
  const { runs } = await openCatalog(store).manifest();
  expect(runs).toHaveLength(1);
  const run = runs[0]!;
  const reader = openReader(store, { cacheBytes: 1 << 24 });
  const rows = run.times.flatMap((time) =>
    Array.from(
      { length: 37 * 72 },
      (_, i) => [-90 + 5 * Math.floor(i / 72), -180 + 5 * (i % 72), time] as const,
    ),
  );
  const points = columnsOf(rows);
  const found = new Set<number>();
  for (const field of fields) {
    const out = new Float64Array(points.count);
    await reader.valuesAt(run, field, points, undefined, out, new AbortController().signal);
    for (const value of out) found.add(value);
    for (let time = 0; time < run.times.length; time++) {
      const { values } = await reader.mapStep(run, field, time, 1, new AbortController().signal);
      for (const value of values) found.add(value * 0.01);
    }
  }
  store.release();
  expect([...found]).toHaveLength(1);
  return [...found][0]!;
}
