import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { variableNames } from "#lib/catalog/variables.ts";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { seeded } from "#test/seeded.ts";
import { largeBodies, sendBody } from "./large-bodies.ts";
import { memoryMiB, steadyLoad } from "./measured-load.ts";
import { MEASURED_KEY, OTHER_KEY, stopProcess } from "./measured-server.ts";
import { endOf, NOW, passage, scattered, submit, submitSmallTask } from "./measured-tasks.ts";
import { longest, startWatchedServer, type WatchedServer } from "./watched-server.ts";

const TASKS = 20;
const PLACES = 200_000;
const BODIES_PER_MINUTE = 10;
const SECONDS = 60;
const PER_SECOND = 20;
const MEMORY_EVERY_MS = 250;

/** What others may wait for, milliseconds, and what the process may take, MiB. */
const limits = { point: 50, health: 20, task: 2000, memory: 700 };

const random = seeded(13);

/**
 * What another owner waits for, without and beside an owner who runs 20 tasks of 200,000 places and sends ten bodies of
 * 32 MiB a minute: one-point requests and /healthz at an even rate, and small tasks one after another. On the demo world.
 * Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  Object.assign(process.env, { TASKS_PER_OWNER: "100", STORED_MB: "20000", STORED_MB_PER_OWNER: "20000" });
  const server = await startWatchedServer(folder, NOW);
  try {
    // What the first requests of a process take is compiling.
    await watch(server, 3);
    print("alone", await watch(server, 10));
    for (let task = 0; task < TASKS; task++) {
      const points = task % 2 === 0 ? passage(PLACES, random) : scattered(PLACES, random);
      await submit(server.url, "/MetOcean/async", MEASURED_KEY, { points, variables: variableNames });
    }
    const over = new AbortController();
    const bodies = sendBodies(server.url, over.signal);
    print(`beside ${TASKS} tasks of ${PLACES} places`, await watch(server, SECONDS));
    over.abort();
    console.log(`  bodies of the greedy owner were answered ${(await bodies).join(", ")}`);
    const { results } = await pendingOfOwner(server.url);
    console.log(`  ${results.length} of its ${TASKS} tasks have not ended`);
  } finally {
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Watched {
  point: number;
  health: number;
  /** Of the small tasks, ascending. */
  tasks: number[];
  memory: number;
  /** Longest work of the main thread, processor time, milliseconds. */
  stretch: number;
}

async function watch({ url, child, stalls }: WatchedServer, seconds: number): Promise<Watched> {
  await stalls();
  const over = new AbortController();
  const memory = peakOf(child, over.signal);
  const tasks = smallTasks(url, over.signal);
  const headers = { "content-type": "application/json", "x-api-key": OTHER_KEY };
  const point = JSON.stringify({ points: scattered(1, random), variables: ["wind"] });
  const [onePoint, health] = await Promise.all([
    steadyLoad(`${url}/MetOcean`, headers, PER_SECOND, seconds, point),
    steadyLoad(`${url}/healthz`, {}, PER_SECOND, seconds),
  ]).finally(() => over.abort());
  return {
    point: onePoint.p99,
    health: health.p99,
    tasks: await tasks,
    memory: await memory,
    stretch: longest(await stalls(), "cpu"),
  };
}

/** One after another, at any moment of what runs beside them. */
async function smallTasks(url: string, over: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  while (!over.aborted) {
    await delay(random() * 1000);
    waits.push(await endOf(url, await submitSmallTask(url, random)));
  }
  return waits.sort((one, other) => one - other);
}

async function peakOf(child: ChildProcess, over: AbortSignal): Promise<number> {
  let peak = 0;
  while (!over.aborted) {
    peak = Math.max(peak, (await memoryMiB(child)).now);
    await delay(MEMORY_EVERY_MS);
  }
  return peak;
}

/** Bodies of each kind in turn, evenly over the time. @returns How often each status came. */
async function sendBodies(url: string, over: AbortSignal): Promise<string[]> {
  const counts = new Map<number, number>();
  for (;;) {
    for (const [, body] of largeBodies(bodyLimits.async, NOW)) {
      const next = performance.now() + 60_000 / BODIES_PER_MINUTE;
      const status = await sendBody(`${url}/MetOcean/async`, body);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      while (performance.now() < next && !over.aborted) await delay(100);
      if (over.aborted) return [...counts].map(([each, count]) => `${count} × ${each}`);
    }
  }
}

async function pendingOfOwner(url: string): Promise<{ results: unknown[] }> {
  const reply = await fetch(`${url}/user/tasks/PENDING`, { headers: { "x-api-key": MEASURED_KEY } });
  return (await reply.json()) as { results: unknown[] };
}

function print(when: string, { point, health, tasks, memory, stretch }: Watched): void {
  const median = tasks[tasks.length >> 1] ?? Number.NaN;
  const worst = tasks.at(-1) ?? Number.NaN;
  const within = (value: number, limit: number) => `${value.toFixed(0)} (limit ${limit})`;
  console.log(
    `${when}: one point of another owner p99 ${within(point, limits.point)} ms; /healthz p99 ${within(health, limits.health)} ms; ` +
      `${tasks.length} small tasks, median ${median.toFixed(0)}, worst ${within(worst, limits.task)} ms; ` +
      `memory at most ${within(memory, limits.memory)} MiB; longest work of the main thread ${stretch.toFixed(0)} ms`,
  );
}
