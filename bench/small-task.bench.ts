import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { variableNames } from "#lib/catalog/variables.ts";
import { formatInstant } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import {
  MEASURED_KEY,
  type MeasuredServer,
  OTHER_KEY,
  startMeasuredServer,
  stopProcess,
} from "./measured-server.ts";
import { endOf, NOW, passage, scattered, submit, submitSmallTask } from "./measured-tasks.ts";
import { cpuSeconds } from "./proc.ts";

const SAMPLES = 30;
const KILLS = 8;

const random = seeded(11);

/**
 * From the submission of a task of 100 places × 12 variables to its result: with nothing else to do, beside large tasks of
 * another owner, and beside them after kill −9 and restart, for a task that was accepted just before the kill (from the
 * moment when the server answers again) and for one that is sent just after. Half of the tasks are passages, half random
 * places, each of them new. The small tasks are of the owner of the other key. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-small-task-"));
  Object.assign(process.env, {
    TASKS_PER_OWNER: "100",
    STORED_MB: "20000",
    STORED_MB_PER_OWNER: "20000",
  });
  let server = await startMeasuredServer(folder, NOW);
  const restart = async () => {
    await killed(server.child);
    server = await startMeasuredServer(folder, NOW);
    await ready(server.url);
  };
  try {
    await ready(server.url);
    report("after the start", [await endOf(server.url, OTHER_KEY, await submitSmall(server.url))]);
    report("idle", await sample(server, () => Promise.resolve()));
    report("beside large tasks", await sample(server, submitLarge));
    report("beside large requests at once", await besideRequests(server));
    const before: number[] = [];
    const after: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await submitLarge(server.url);
      const id = await submitSmall(server.url);
      await delay(random() * 300);
      await restart();
      const since = performance.now();
      const next = await submitSmall(server.url);
      const interrupted = endOf(server.url, OTHER_KEY, id, since);
      after.push(await endOf(server.url, OTHER_KEY, next));
      before.push(await interrupted);
      await delay(2000);
    }
    report("accepted before kill −9, from the restart on", before);
    report("sent after kill −9 and restart", after);
  } finally {
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Three clients of the other owner send 10,000 random places × 12 variables, one request after another. */
async function besideRequests(server: MeasuredServer): Promise<number[]> {
  const clients = new AbortController();
  const headers = { "content-type": "application/json", "x-api-key": MEASURED_KEY };
  const requests = Array.from({ length: 3 }, async () => {
    while (!clients.signal.aborted) {
      const body = JSON.stringify({ points: scattered(10_000, random), variables: variableNames });
      const reply = await fetch(`${server.url}/MetOcean`, { method: "POST", headers, body });
      await reply.arrayBuffer();
      if (reply.status === 503) await delay(1000);
    }
  });
  const waits = await sample(server, () => Promise.resolve());
  clients.abort();
  await Promise.all(requests);
  return waits;
}

async function sample(
  { url, child }: MeasuredServer,
  load: (url: string) => Promise<void>,
): Promise<number[]> {
  const waits: number[] = [];
  const before = await cpuSeconds(child);
  const since = performance.now();
  while (waits.length < SAMPLES) {
    await load(url);
    // At any moment of what runs beside it.
    await delay(random() * 1500);
    waits.push(await endOf(url, OTHER_KEY, await submitSmall(url)));
  }
  const used = (await cpuSeconds(child)) - before;
  console.log(`(the server used ${((1000 * used) / (performance.now() - since)).toFixed(2)} processors)`);
  return waits;
}

const submitSmall = (url: string) => submitSmallTask(url, OTHER_KEY, random);

/** Holds the queue of the other owner at 3 tasks of 200,000 places × 12 with meta, 2 × 2 variables and 2 maps at least. */
async function submitLarge(url: string): Promise<void> {
  const reply = await fetch(`${url}/user/tasks/PENDING`, { headers: { "x-api-key": MEASURED_KEY } });
  const { results } = (await reply.json()) as {
    results: { size: number; kind: string; task_name: string }[];
  };
  const pending = (name: string) => results.filter(({ task_name }) => task_name === name).length;
  for (let count = pending("all"); count < 3; count++) {
    const points = passage(200_000, random);
    await submit(url, "/MetOcean/async", MEASURED_KEY, {
      points,
      variables: variableNames,
      include_meta: true,
      task_name: "all",
    });
  }
  for (let count = pending("two"); count < 2; count++) {
    const points = passage(200_000, random);
    await submit(url, "/MetOcean/async", MEASURED_KEY, {
      points,
      variables: ["wind", "wave"],
      task_name: "two",
    });
  }
  for (let count = pending("map"); count < 2; count++) {
    const box = {
      latitude: [-90, 90],
      longitude: [-180, 180],
      timestamp: [formatInstant(NOW), formatInstant(NOW + 86_400)],
    };
    await submit(url, "/2DMetOcean", MEASURED_KEY, {
      bounding_boxes: [box],
      variable: "wave",
      async: true,
      task_name: "map",
    });
  }
}

async function ready(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await delay(20);
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

function report(name: string, waits: number[]): void {
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.ceil(share * (waits.length - 1))]! / 1000).toFixed(2);
  console.log(`${name}: ${waits.length} tasks, median ${at(0.5)} s, worst ${at(1)} s`);
}
