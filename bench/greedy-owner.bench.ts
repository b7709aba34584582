import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatInstant } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { startGreedyOwner } from "./greedy-owner.ts";
import { startBare } from "./measured-load.ts";
import { MEASURED_KEY, type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { endOf, NOW, scattered, submitSmallTask } from "./measured-tasks.ts";
import { askAsOthers, describeOthers, type Others } from "./others.ts";
import { memoryMiB } from "./proc.ts";

const SECONDS = 60;
/** Time in which the greedy owner submits its tasks, seconds. */
const SUBMITTING_S = 15;
/** Rate of points and of /healthz, which gives a p99 of 2,400 requests each. */
const PER_SECOND = 40;
const WARM_S = 8;
const ALONE_S = 20;
const MEMORY_EVERY_MS = 250;

/** Limits: waits of others, milliseconds, and memory of the process, MiB. */
const limits = { point: 100, health: 50, task: 2000, memory: 800 };

const random = seeded(13);

/**
 * Measures the waits of another owner, without and beside a greedy one (20 tasks of 200,000 places, ten bodies of 32
 * MiB a minute): one-point requests and /healthz at an even rate, and small tasks one after another. It runs on the
 * demo and needs the built pages.
 *
 * Four processes run: the server; a client that only measures; the greedy owner, at a lower priority, because elsewhere
 * it is another machine; and this one, which sends small tasks. A fifth is a bare node:http handler that the same
 * client calls at the same time. If that waits too, the machine is busy with other things.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  Object.assign(process.env, { TASKS_PER_OWNER: "100", STORED_MB: "20000", STORED_MB_PER_OWNER: "20000" });
  const server = await startMeasuredServer(folder, NOW);
  const bare = await startBare(300);
  try {
    // The first requests of a process are slow, because code is being compiled.
    await watch(server, bare, WARM_S);
    print("without small tasks", await watch(server, bare, ALONE_S, false));
    print("alone", await watch(server, bare, ALONE_S));
    const stop = startGreedyOwner(server.url, formatInstant(NOW));
    print("while it submits its tasks", await watch(server, bare, SUBMITTING_S));
    print("beside its tasks and bodies", await watch(server, bare, SECONDS));
    const counts = [...(await stop())].map(([name, count]) => `${name} ${count}`);
    console.log(`the greedy owner: ${counts.join(", ")}`);
  } finally {
    await stopProcess(bare.child);
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Watched {
  others: Others;
  /** Waits of the small tasks, ascending. */
  tasks: number[];
  memory: number;
}

async function watch(
  server: MeasuredServer,
  bare: MeasuredServer,
  seconds: number,
  withTasks = true,
): Promise<Watched> {
  const { url, child } = server;
  const over = new AbortController();
  const memory = peakOf(child, over.signal);
  const tasks = withTasks ? smallTasks(url, over.signal) : [];
  const point = JSON.stringify({ points: scattered(1, random), variables: ["wind"] });
  const asked = { key: MEASURED_KEY, point, perSecond: PER_SECOND, seconds };
  const others = await askAsOthers(server, bare, asked).finally(() => over.abort());
  return { others, tasks: await tasks, memory: await memory };
}

/** Sends small tasks one after another, at random moments so that they meet every state of the other load. */
async function smallTasks(url: string, over: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  while (!over.aborted) {
    await delay(random() * 1000);
    waits.push(await endOf(url, MEASURED_KEY, await submitSmallTask(url, MEASURED_KEY, random)));
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

function print(when: string, { others, tasks, memory }: Watched): void {
  const median = tasks[tasks.length >> 1] ?? Number.NaN;
  const worst = tasks.at(-1) ?? Number.NaN;
  const within = (value: number, limit: number) => `${value.toFixed(0)} (limit ${limit})`;
  console.log(
    `${when}: ${describeOthers(others, limits)}; ` +
      `${tasks.length} small tasks, median ${median.toFixed(0)}, worst ${within(worst, limits.task)} ms; ` +
      `memory at most ${within(memory, limits.memory)} MiB`,
  );
}
