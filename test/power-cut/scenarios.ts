import path from "node:path";
import { buffer } from "node:stream/consumers";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { readPepper } from "#server/keys/pepper.ts";
import { isDraft } from "#server/platform/files.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { gunzipped } from "#server/tasks/gzip-blobs.ts";
import type { TaskTables } from "#server/tasks/task.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import { testAnswers } from "#test/answers.ts";
import { columnsOf, newRun, publish } from "#test/archive.ts";
import { newTask, testLimits } from "#test/tasks.ts";
import type { RecordedFolder } from "./record.ts";

/** Something that the service does to its folders, and what must be true of them after a loss of power. */
export interface Scenario {
  name: string;
  run(root: string, folder: RecordedFolder): Promise<void>;
  /**
   * Starts on the state of the disk, as the service does.
   *
   * @param promised Earlier promises, by label.
   * @throws When a promise is broken, or a torn file is accepted.
   */
  recover(root: string, promised: Map<string, unknown[]>): Promise<void>;
}

class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

function require(condition: boolean, what: string): asserts condition {
  if (!condition) throw new BrokenPromise(what);
}

/** @param tables A database whose commits are durable. Each statement is a promise that its row may exist. */
export function scenarios(tables: TaskTables): Scenario[] {
  return [pepper, requests(tables), answers(tables), runs];
}

const dataDirOf = (root: string) => path.join(root, "new", "data");

const pepper: Scenario = {
  name: "the first start makes the pepper",
  async run(root, { mark }) {
    const dataDir = dataDirOf(root);
    mark("pepper", await readPepper({ dataDir }, { kind: "embedded", prisma: undefined as never }));
  },
  async recover(root, promised) {
    const dataDir = dataDirOf(root);
    const found = await readPepper({ dataDir }, { kind: "embedded", prisma: undefined as never });
    const [before] = promised.get("pepper") ?? [];
    require(before === undefined || found === before, "the pepper is another one: every key is lost");
    require(/^[0-9a-f]{64}$/.test(found), "a torn pepper is used");
  },
};

/** The blobs of tasks and stored answers. */
const tasksOf = (root: string) => folderBlobStore(path.join(dataDirOf(root), "tasks"));

const bodyOf = (index: number) => Buffer.from(`{"request": ${index}, "text": "${"x".repeat(40 * index)}"}`);

const clock = { now: () => 1_800_000_000 };
const log = { info() {}, warn() {}, error() {} };

function requests(tables: TaskTables): Scenario {
  return {
    name: "tasks are accepted",
    async run(root, { mark }) {
      const blobs = tasksOf(root);
      for (let index = 0; index < 6; index++) {
        const task = newTask("owner");
        const noted = promising(tables, () => mark("possible row", [task.requestFile, index]));
        const tasks = new Tasks({ tables: noted, blobs, clock, limits: wide, log });
        const taken = await tasks.submit(task, bodyOf(index));
        require(taken === "taken", `a task was refused: ${taken}`);
        mark("accepted", [task.requestFile, index]);
      }
    },
    async recover(root, promised) {
      const blobs = tasksOf(root);
      const named = [...(promised.get("accepted") ?? []), ...(promised.get("possible row") ?? [])];
      for (const [file, index] of named as [string, number][])
        require((await buffer(gunzipped(blobs.read(file)))).equals(
          bodyOf(index),
        ), `${file} is not its request`);
      for await (const { key } of blobs.list()) if (!isDraft(key)) await buffer(gunzipped(blobs.read(key)));
    },
  };
}

const wide = { ...testLimits, pendingOfOwner: 1e6, pending: 1e6 };

function answers(tables: TaskTables): Scenario {
  return {
    name: "answers are kept under their keys",
    async run(root, { mark }) {
      const blobs = tasksOf(root);
      for (let index = 0; index < 4; index++) {
        const { id } = newTask("owner");
        const key = { key: id, hash: "hash" };
        const note = () => mark("possible row", `${id}.answer`);
        const kept = testAnswers(promising(tables, note), blobs);
        const answer = { headers: { index: `${index}` }, body: bodyOf(index) };
        require(await kept.keep("owner", key, id, answer), "an answer was not kept");
        mark("kept", [id, index]);
      }
    },
    async recover(root, promised) {
      const blobs = tasksOf(root);
      const kept = testAnswers(tables, blobs);
      for (const [id, index] of (promised.get("kept") ?? []) as [string, number][]) {
        const found = await kept.find("owner", id);
        const answer = await found?.answerTo?.({
          method: "GET",
          header: () => undefined,
          signal: new AbortController().signal,
        });
        require(answer !== undefined, `the answer of ${id} is lost`);
        const { body } = answer;
        const bytes = body instanceof Uint8Array ? body : await buffer(body as AsyncIterable<Uint8Array>);
        require(bodyOf(index).equals(bytes), `the answer of ${id} is another one`);
      }
      for (const file of (promised.get("possible row") ?? []) as string[])
        await buffer(gunzipped(blobs.read(file)));
    },
  };
}

const fields = ["eastward_wind_10m", "northward_wind_10m"] as const;
const grid = {
  latitude: { start: -90, step: 30, count: 7 },
  longitude: { start: -180, step: 30, count: 12 },
};
const NODES = 7 * 12;
const run = newRun(grid, 2);

const publishValue = (root: string, value: number) => {
  const steps = run.times.map(() => new Float32Array(NODES).fill(value));
  return publish(
    path.join(dataDirOf(root), "archive"),
    run,
    Object.fromEntries(fields.map((name) => [name, steps])),
  );
};

const runs: Scenario = {
  name: "a run is published and replaced twice",
  async run(root, { mark }) {
    for (const value of [1, 2, 3]) {
      mark("begun", value);
      await publishValue(root, value);
      mark("published", value);
    }
  },
  async recover(root, promised) {
    const begun = (promised.get("begun") ?? []) as number[];
    const published = (promised.get("published") ?? []) as number[];
    const value = await servedValue(path.join(dataDirOf(root), "archive"));
    const allowed = [published.at(-1), begun.at(-1)];
    require(allowed.includes(value), `the archive serves ${value} instead of ${allowed.join(" or ")}`);
    await publishValue(root, 9);
    require((await servedValue(path.join(dataDirOf(root), "archive"))) ===
      9, "no run can be published any more");
  },
};

/** The single value that the whole archive has; undefined where it is empty. */
async function servedValue(archive: string): Promise<number | undefined> {
  const store = directoryStore(archive);
  try {
    const [served, ...others] = (await openCatalog(store).manifest()).runs;
    require(others.length === 0, "two runs of one time are served");
    if (!served) return undefined;
    const reader = openReader(store, { cacheBytes: 1 << 20 });
    const { signal } = new AbortController();
    const places = Array.from(
      { length: NODES },
      (_, i) => [-90 + 30 * Math.floor(i / 12), -180 + 30 * (i % 12)] as const,
    );
    const points = columnsOf(
      run.times.flatMap((time) => places.map(([lat, lon]) => [lat, lon, time] as const)),
    );
    const found = new Set<number>();
    for (const field of fields) {
      const out = new Float64Array(points.count);
      await reader.valuesAt(served, field, points, undefined, out, signal);
      for (const value of out) found.add(value);
      for (const step of run.times.keys())
        for (const stride of served.levels)
          for (const value of (await reader.mapStep(served, field, step, stride, signal)).values)
            found.add(value * 0.01);
    }
    require(found.size === 1, `a run has ${[...found].join(" and ")} in it`);
    return [...found][0];
  } finally {
    store.release();
  }
}

/**
 * The tables, with a note before each statement: after a loss of power its row may exist although the caller was not
 * told.
 */
function promising<Tables extends object>(tables: Tables, note: () => void): Tables {
  return new Proxy(tables, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === "object" && member !== null) return promising(member, note);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        note();
        return member.apply(target, args);
      };
    },
  });
}
