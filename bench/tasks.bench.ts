import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { variableNames } from "#lib/catalog/variables.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { NOW, submit as submitTask } from "./measured-tasks.ts";
import { cpuSeconds, memoryMiB } from "./proc.ts";

const PENDING = 1_000;
const MEASURED_SUBMISSIONS = 300;
const READ_SECONDS = 5;

/**
 * Measures tasks of the demo through the whole server, on the embedded database: how fast a task is accepted while
 * 1,000 wait, how often a second the state of an ended one can be read, and the time and memory of 100,000 points × 2
 * variables and 200,000 × 12, with the answers of /healthz meanwhile.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-tasks-"));
  Object.assign(process.env, { TASKS_PER_OWNER: String(PENDING + 2 * MEASURED_SUBMISSIONS) });
  const { child, url } = await startMeasuredServer(folder, NOW);
  try {
    await atRest(url, child);
    await large(url, child, "100,000 points of a passage × 2 variables", 100_000, ["wind", "wave"]);
    await large(url, child, "200,000 points of a passage × 12 variables", 200_000, variableNames);
    await reads(url, child);
    await acceptance(url);
  } finally {
    await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const headers = { "content-type": "application/json", "x-api-key": MEASURED_KEY };

interface Point {
  latitude: number;
  longitude: number;
  timestamp: string;
}

/** A passage from the Channel to the Caribbean in nine days, with a position every few seconds. */
function passage(count: number): Point[] {
  return Array.from({ length: count }, (_, index) => ({
    latitude: Math.round(1e5 * (49 - (30 * index) / count)) / 1e5,
    longitude: Math.round(1e5 * (-6 - (50 * index) / count)) / 1e5,
    timestamp: formatInstant(NOW + Math.floor((index / count) * 9 * DAY_S)),
  }));
}

const submit = (url: string, points: Point[], variables: readonly string[]) =>
  submitTask(url, "/MetOcean/async", MEASURED_KEY, { points, variables });

async function large(
  url: string,
  child: ChildProcess,
  name: string,
  count: number,
  variables: readonly string[],
): Promise<void> {
  const points = passage(count);
  await forgetPeak(child);
  const started = performance.now();
  const id = await submit(url, points, variables);
  const accepted = performance.now() - started;
  let ended = false;
  const waits: number[] = [];
  const health = askHealth(url, waits, () => ended);
  for (;;) {
    const { results } = (await (await fetch(`${url}/user/tasks`, { headers })).json()) as {
      results: { task_id: string; status: string; error: string | null }[];
    };
    const task = results.find((each) => each.task_id === id)!;
    if (task.status === "FAILURE") throw new Error(`The task failed: ${task.error}`);
    if (task.status === "SUCCESS") break;
    await pause(250);
  }
  const seconds = (performance.now() - started) / 1000;
  ended = true;
  await health;
  const peak = (await memoryMiB(child)).peak.toFixed(0);
  const result = await (await fetch(`${url}/task/${id}`, { headers })).text();
  await compare(url, result, points, variables);
  console.log(
    `${name}: ${seconds.toFixed(1)} s, accepted after ${(accepted / 1000).toFixed(2)} s, ${(result.length / 2 ** 20).toFixed(0)} MiB ` +
      `of JSON, equal to the answers at once; peak memory of the server ${peak} MiB; /healthz meanwhile ` +
      `${waits.length} times: p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms, worst ${at(waits, 1)} ms`,
  );
}

async function askHealth(url: string, waits: number[], ended: () => boolean): Promise<void> {
  while (!ended()) {
    const since = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    waits.push(performance.now() - since);
    await pause(10);
  }
}

/** Measures /healthz when nothing runs, which shows the cost of the machine's other work. */
async function atRest(url: string, child: ChildProcess): Promise<void> {
  await forgetPeak(child);
  const waits: number[] = [];
  const until = performance.now() + 5_000;
  await askHealth(url, waits, () => performance.now() > until);
  const peak = (await memoryMiB(child)).peak.toFixed(0);
  console.log(
    `at rest: memory of the server ${peak} MiB; /healthz p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms`,
  );
}

/** Compares a sample of the result with the answer of POST /MetOcean. */
async function compare(
  url: string,
  text: string,
  points: Point[],
  variables: readonly string[],
): Promise<void> {
  const { results } = (JSON.parse(text) as { result: { results: unknown[] } }).result;
  const random = seeded(7);
  const sample = Array.from({ length: 200 }, () => Math.floor(random() * points.length));
  const body = JSON.stringify({ points: sample.map((index) => points[index]), variables });
  const reply = await fetch(`${url}/MetOcean`, { method: "POST", headers, body });
  const answer = (await reply.json()) as { result: { results: unknown[] } };
  const same =
    JSON.stringify(answer.result.results) === JSON.stringify(sample.map((index) => results[index]));
  if (!same || results.length !== points.length) throw new Error("The task's result is another");
}

async function reads(url: string, child: ChildProcess): Promise<void> {
  const id = await submit(url, passage(1), ["wind"]);
  while ((await (await fetch(`${url}/task/${id}`, { headers })).text()).includes("PENDING")) await pause(50);
  const requests = [{ method: "GET" as const, path: `/task/${id}`, headers: { "x-api-key": MEASURED_KEY } }];
  const options = { url, connections: 16, requests, workers: 1 };
  await autocannon({ ...options, duration: 2 });
  const before = await cpuSeconds(child);
  const measured = await autocannon({ ...options, duration: READ_SECONDS });
  const used = (await cpuSeconds(child)) - before;
  const bare = await autocannon({
    ...options,
    duration: READ_SECONDS,
    requests: [{ method: "GET", path: "/healthz" }],
  });
  console.log(
    `an ended task is read ${Math.round(measured.requests.average)} times a second (goal 5,000), ${Math.round(measured.requests.total / used)} a core second, ` +
      `p99 ${measured.latency.p99} ms; /healthz ${Math.round(bare.requests.average)} times`,
  );
}

async function acceptance(url: string): Promise<void> {
  // A task of many random places keeps the worker from the queue.
  const random = seeded(3);
  const slow = () =>
    Array.from({ length: 50_000 }, () => ({
      latitude: Math.round(1.8e6 * random() - 9e5) / 1e4,
      longitude: Math.round(3.6e6 * random() - 18e5) / 1e4,
      timestamp: formatInstant(NOW + Math.floor((random() * 15 - 5) * DAY_S)),
    }));
  const busy = [await submit(url, slow(), variableNames), await submit(url, slow(), variableNames)];
  const [one] = [passage(1)];
  for (let count = 0; count < PENDING; count += 20)
    await Promise.all(Array.from({ length: 20 }, () => submit(url, one, ["wind"])));
  const waits: number[] = [];
  for (let count = 0; count < MEASURED_SUBMISSIONS; count++) {
    const since = performance.now();
    await submit(url, one, ["wind"]);
    waits.push(performance.now() - since);
  }
  for (const id of busy) await fetch(`${url}/cancel_task/${id}`, { method: "POST", headers });
  console.log(
    `a task is accepted, with ${PENDING} waiting and two running: p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms (goal 50)`,
  );
}

function at(waits: number[], share: number): string {
  waits.sort((a, b) => a - b);
  return waits[Math.min(waits.length - 1, Math.floor(share * waits.length))]!.toFixed(1);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Resets the peak memory, because the start, which derives the demo, does not belong to a task. */
async function forgetPeak({ pid }: ChildProcess): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => undefined);
}
