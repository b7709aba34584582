import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { newRun, randomSteps, temporaryFolder } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { archiveCommand } from "./archive-command.ts";
import { compactArchive } from "./compact.ts";
import { directoryStore } from "./directory-store.ts";
import { readManifest } from "./manifest.ts";
import { readMapStep } from "./map-step.ts";
import type { Run } from "./run.ts";
import { beginRun } from "./writer.ts";

const grid: Grid = {
  latitude: { start: 30, step: 0.5, count: 61 },
  longitude: { start: -80, step: 0.5, count: 83 },
};
const names = ["eastward_wind_10m", "northward_wind_10m", "eastward_wind_100m"] as const;

/** A run as version 0.2 wrote it; the last field has no data at its second step. */
async function oldRun(root: string, source: string): Promise<Run> {
  const forms = { points: "plain", maps: "zstd", mapsOfAll: true } as const;
  const writer = await beginRun(root, { ...newRun(grid, 3, source), holds: 60 }, { forms });
  const steps = randomSteps(grid, 3, seeded(1));
  for (const name of names) {
    const has = name === "eastward_wind_100m" ? [0, 2] : undefined;
    await writer.writeField(name, { steps: has, comment: "a note" }, async (time) => steps[time]);
  }
  await writer.writeFrames();
  return writer.publish();
}

/** No store: nothing is pushed here. */
const open = async () => undefined;

async function compact(root: string, signal = new AbortController().signal) {
  const printed = { out: "", err: "" };
  const stream = (name: "out" | "err") => ({
    write(text: string) {
      printed[name] += text;
    },
  });
  const deps = { archive: root, open, openShared: open, out: stream("out"), err: stream("err"), signal };
  return { code: await archiveCommand(["compact"], deps), ...printed };
}

async function numbersOf(root: string, run: Run) {
  const steps: Int16Array[] = [];
  for (const name of names)
    for (const time of run.times.keys())
      steps.push(
        (
          await readMapStep(
            directoryStore(root),
            run,
            name as FieldName,
            time,
            1,
            new AbortController().signal,
          )
        ).values,
      );
  return steps;
}

it("replaces each old run by one with the same numbers, steps and notes, and does nothing the second time", async () => {
  const root = temporaryFolder();
  const old = [await oldRun(root, "one"), await oldRun(root, "two")];
  const first = await compact(root);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toContain("2 rewritten, 0 had the present form, 0 left as they are");
  expect(first.out).toMatch(/3 of 4: northward_wind_10m\n {2}4 of 4: map frames\n {2}\d+ kB became/);
  const { runs } = await readManifest(root);
  expect(runs.map(({ source }) => source)).toEqual(["one", "two"]);
  for (const [i, run] of runs.entries()) {
    const { id: _, path: __, fields, ...rest } = old[i]!;
    expect(run).toMatchObject(rest);
    expect(run.fields).toEqual({
      eastward_wind_10m: { ...fields.eastward_wind_10m, maps: false },
      northward_wind_10m: { ...fields.northward_wind_10m, maps: false },
      eastward_wind_100m: { ...fields.eastward_wind_100m, maps: false },
    });
    expect(await numbersOf(root, run)).toEqual(await numbersOf(root, old[i]!));
    // An answer that was begun with the old manifest can be finished.
    expect(existsSync(join(root, old[i]!.path))).toBe(true);
  }
  const second = await compact(root);
  expect(second.out).toBe("0 rewritten, 2 had the present form, 0 left as they are\n");
  expect((await readManifest(root)).runs).toEqual(runs);
});

it("stopped in the middle, leaves the run that it was at, and goes on there", async () => {
  const root = temporaryFolder();
  const [one, two] = [await oldRun(root, "one"), await oldRun(root, "two")];
  const stop = new AbortController();
  const published: string[][] = [];
  const deps = {
    archive: root,
    open,
    openShared: open,
    err: { write: () => {} },
    out: {
      write(text: string) {
        if (text.startsWith(two.id)) stop.abort();
      },
    },
    signal: stop.signal,
  };
  expect(await archiveCommand(["compact"], deps)).toBe(130);
  published.push((await readManifest(root)).runs.map(({ id }) => id));
  expect(published[0]).toContain(two.id);
  expect(published[0]).not.toContain(one.id);
  expect((await compact(root)).out).toContain("1 rewritten, 1 had the present form");
  expect((await readManifest(root)).runs.map(({ id }) => id)).not.toContain(two.id);
});

it("brings runs with maps, and numbers in finer steps, to the present form and to the steps of the catalog", async () => {
  const root = temporaryFolder();
  const NAME = "wind_speed_of_gust";
  const packing = { [NAME]: { scale: 0.005, offset: 0 } };
  const writer = await beginRun(root, newRun(grid, 2), { forms: { maps: "bytes", packing } });
  const steps = randomSteps(grid, 2, seeded(5));
  await writer.writeField(NAME, {}, async (time) => steps[time]);
  await writer.writeFrames();
  const old = await writer.publish();
  expect(existsSync(join(root, old.path, "maps"))).toBe(true);
  const read = (run: Run) => readMapStep(directoryStore(root), run, NAME, 1, 1, new AbortController().signal);
  const before = await read(old);
  expect((await compact(root)).out).toContain("1 rewritten");
  const [run] = (await readManifest(root)).runs;
  expect(readdirSync(join(root, run!.path)).sort()).toEqual(["frames", "points"]);
  expect((await read(run!)).values).toEqual(before.values);
  expect((await compact(root)).out).toContain("1 had the present form");
});

const compactOnce = `
  import { archiveCommand } from ${JSON.stringify(new URL("./archive-command.ts", import.meta.url).href)};
  await archiveCommand(["compact"], {
    archive: process.argv[1],
    out: process.stdout,
    err: process.stderr,
    signal: new AbortController().signal,
  });
`;

it("killed at any moment, leaves every run whole with its numbers, and goes on", async () => {
  const KILLS = 2;
  const root = temporaryFolder();
  const old = [await oldRun(root, "one"), await oldRun(root, "two")];
  const numbers = await numbersOf(root, old[0]!);
  for (let kill = 1; kill <= KILLS; kill++) {
    const args = ["--input-type=module", "-e", compactOnce, root];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let lines = 0;
    for await (const _ of createInterface({ input: child.stdout! }))
      if (++lines === 3 * kill) child.kill("SIGKILL");
    await ended;
    const { runs } = await readManifest(root);
    expect(runs.map(({ source }) => source).sort()).toEqual(["one", "two"]);
    for (const run of runs) expect(await numbersOf(root, run)).toEqual(numbers);
  }
  const { out } = await compact(root);
  expect(out).toMatch(/[12] rewritten, [01] had the present form, 0 left/);
  for (const { id, fields } of (await readManifest(root)).runs) {
    expect(old.map((run) => run.id)).not.toContain(id);
    expect(Object.values(fields).every(({ maps }) => maps === false)).toBe(true);
  }
});

it("leaves a damaged run as it is, says so, and rewrites the others", async () => {
  const root = temporaryFolder();
  const [one, two] = [await oldRun(root, "one"), await oldRun(root, "two")];
  const file = join(root, one.path, "maps/1/eastward_wind_10m/c.0.0.0");
  const bytes = readFileSync(file);
  bytes[100]! ^= 1;
  writeFileSync(file, bytes);
  const { code, out, err } = await compact(root);
  expect(code).toBe(1);
  expect(out).toContain("1 rewritten, 0 had the present form, 1 left as they are");
  expect(err).toContain(`${one.id} is left as it is: The stored eastward_wind_10m`);
  const ids = (await readManifest(root)).runs.map(({ id }) => id);
  expect(ids).toContain(one.id);
  expect(ids).not.toContain(two.id);
});

it("leaves a run for which the disk has no room, and says how much it needs", async () => {
  const root = temporaryFolder();
  const run = await oldRun(root, "one");
  const reasons: string[] = [];
  const report = {
    writing() {},
    compacted() {},
    left: (_run: Run, reason: string) => void reasons.push(reason),
  };
  const options = { freeBytes: async () => 1e5 };
  const counts = await compactArchive(root, report, new AbortController().signal, options);
  expect(counts).toEqual({ compacted: 0, unchanged: 0, left: 1 });
  expect(reasons).toEqual([expect.stringMatching(/^it needs \d+ kB of disk .*, and 100 kB are free$/)]);
  expect((await readManifest(root)).runs).toEqual([run]);
});

it("does not rewrite a run that was replaced between the first look and the right to write", async () => {
  const root = temporaryFolder();
  const old = await oldRun(root, "one");
  const replacing: Run[] = [];
  const report = {
    writing: () => expect.unreachable(),
    compacted: () => expect.unreachable(),
    left: () => expect.unreachable(),
  };
  const options = {
    freeBytes: async () => {
      const writer = await beginRun(root, { ...newRun(grid, 3, "one"), holds: 60 });
      const steps = randomSteps(grid, 3, seeded(9));
      await writer.writeField(names[0], {}, async (time) => steps[time]);
      replacing.push(await writer.publish());
      return 1e12;
    },
  };
  const counts = await compactArchive(root, report, new AbortController().signal, options);
  expect(counts).toEqual({ compacted: 0, unchanged: 0, left: 0 });
  expect(replacing[0]!.id).not.toBe(old.id);
  expect((await readManifest(root)).runs).toEqual(replacing);
});

it("explains itself", async () => {
  const text: Record<"out" | "err", string[]> = { out: [], err: [] };
  const deps = {
    archive: "/nowhere",
    open,
    openShared: open,
    out: { write: (part: string) => void text.out.push(part) },
    err: { write: (part: string) => void text.err.push(part) },
    signal: new AbortController().signal,
  };
  expect(await archiveCommand(["--help"], deps)).toBe(0);
  expect(await archiveCommand([], deps)).toBe(2);
  expect(text.out).toEqual(text.err);
});
