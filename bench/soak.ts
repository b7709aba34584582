import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { formatInstant } from "#lib/time.ts";
import { labOptions } from "#test/lab-options.ts";
import { seeded } from "#test/seeded.ts";
import { startGreedyOwner } from "./greedy-owner.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";

const { minutes, clients, seed, greedy } = labOptions(
  `Mixed load on the server with the demo world; every ten seconds one line. Wrong is memory or handles that have grown since the
warm-up.`,
  {
    minutes: [2, "at least 1"],
    clients: [6, "that ask one thing after the other"],
    seed: [1, "of the requests"],
    greedy: [false, "another owner holds 20 tasks of 200,000 places and sends ten bodies of 32 MiB a minute"],
  },
);

const NOW = Date.parse("2026-03-01T12:00:00Z") / 1000;
const LINE_MS = 10_000;

/** Minutes in which caches fill and threads start: a fifth of the time, at most five. */
const WARM_UP = Math.min(0.2 * minutes, 5);

/** Share by which the end may exceed the end of the warm-up. */
const GROWTH = 0.15;

const random = seeded(seed);
const between = (from: number, to: number) => from + random() * (to - from);
const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const instant = (hours: number) => formatInstant(NOW + Math.round(hours) * 3600);

const folder = mkdtempSync(path.join(tmpdir(), "metocean-soak-"));
const server = await startMeasuredServer(folder, NOW);
const counts = new Map<string, number>();
let isOver = false;

async function send(route: string, body?: object): Promise<Response> {
  const headers = {
    "x-api-key": MEASURED_KEY,
    "content-type": "application/json",
    "accept-encoding": "gzip",
  };
  const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(server.url + route, request);
  const outcome = response.ok ? "answered" : String(response.status);
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return response;
}

const drain = async (response: Promise<Response>) => void (await (await response).arrayBuffer());

function scattered(count: number) {
  return Array.from({ length: count }, () => ({
    latitude: between(-80, 80),
    longitude: between(-180, 180),
    timestamp: instant(between(-100, 200)),
  }));
}

function passage(count: number) {
  const [latitude, longitude] = [between(-50, 50), between(-170, 100)];
  return Array.from({ length: count }, (_, index) => ({
    latitude: latitude + 0.05 * index,
    longitude: longitude + 0.1 * index,
    timestamp: instant(index / 3),
  }));
}

const variables = ["wind", "wave", "current"];

/** Kinds of requests, with their relative frequencies. */
const kinds: [share: number, ask: () => Promise<void>][] = [
  [30, () => drain(send("/MetOcean", { points: scattered(1), variables: ["wind"] }))],
  [20, () => drain(send("/MetOcean", { points: passage(100), variables }))],
  [4, () => drain(send("/MetOcean", { points: scattered(300), variables: ["wind"] }))],
  [8, () => drain(send("/2DMetOcean", box(20)))],
  [2, () => drain(send("/2DMetOcean", box(90)))],
  [20, frame],
  [5, () => drain(send("/storms?provider=jtwc"))],
  [3, () => drain(send("/storms?provider=jma"))],
  [3, () => drain(send("/"))],
  [2, () => drain(send("/docs"))],
  [3, task],
];
const all = kinds.flatMap(([share, ask]) => Array.from({ length: share }, () => ask));

function box(degrees: number) {
  const [south, west] = [between(-80, 80 - degrees), between(-180, 180 - degrees)];
  return {
    bounding_boxes: [
      {
        latitude: [south, south + degrees],
        longitude: [west, west + degrees],
        timestamp: instant(between(-24, 100)),
      },
    ],
    variable: oneOf(["wind", "wave"]),
  };
}

async function frame(): Promise<void> {
  const reply = await send(`/2DMetOcean/manifest?variable=${oneOf(["wind", "wave"])}`);
  const { runs } = (await reply.json()) as FieldManifest;
  const run = oneOf(runs);
  const level = oneOf(run.levels);
  const chunk = oneOf(chunkNames(level.grid, level.chunk));
  await drain(send(framePath(run.frames, oneOf(run.times), level.level, chunk)));
}

async function task(): Promise<void> {
  const accepted = await send("/MetOcean/async", { points: scattered(1000), variables: ["wind"] });
  const { task_id: id } = (await accepted.json()) as { task_id?: string | string[] };
  if (id === undefined) return;
  for (let asked = 0; asked < 60 && !isOver; asked++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const reply = await send(`/task/${id}`);
    if (!(await reply.text()).includes("PENDING")) return;
  }
}

async function client(): Promise<void> {
  while (!isOver) {
    try {
      await oneOf(all)();
    } catch (error) {
      const name = `failed: ${(error as Error).message}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
}

interface State {
  rssMb: number;
  files: number;
}

/** Reports in one line the memory of the process and the delay of its main thread. */
async function report(): Promise<State> {
  const { pid } = server.child;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1]);
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0).padStart(5);
  const state = { rssMb: of("VmRSS") / 1024, files: readdirSync(`/proc/${pid}/fd`).length };
  console.log(
    [
      `${((performance.now() - startedAt) / 60_000).toFixed(1).padStart(5)} min`,
      `RSS ${mb(of("VmRSS") * 1024)} (peak ${mb(of("VmHWM") * 1024)})`,
      `heap ${mb(metric("nodejs_heap_size_used_bytes"))} of ${mb(metric("nodejs_heap_size_total_bytes"))}`,
      `external ${mb(metric("nodejs_external_memory_bytes"))}`,
      `buffers ${mb(metric("array_buffers_bytes"))}`,
      `threads ${of("Threads")}`,
      `files ${state.files}`,
      `lag p99 ${(1000 * metric("nodejs_eventloop_lag_p99_seconds")).toFixed(0)} ms`,
      [...counts].map(([name, count]) => `${name} ${count}`).join(", "),
    ].join("  "),
  );
  return state;
}

const startedAt = performance.now();
const elapsedMinutes = () => (performance.now() - startedAt) / 60_000;
const working = Array.from({ length: clients }, client);
const stopGreedy = greedy ? startGreedyOwner(server.url, instant(0)) : undefined;
const states: State[] = [];
let warm = 0;
try {
  while (elapsedMinutes() < minutes) {
    await new Promise((resolve) => setTimeout(resolve, LINE_MS));
    states.push(await report());
    if (elapsedMinutes() <= WARM_UP) warm = states.length;
  }
} finally {
  isOver = true;
  await Promise.all(working);
  const answers = await stopGreedy?.();
  if (answers)
    console.log(`the greedy owner: ${[...answers].map(([name, count]) => `${name} ${count}`).join(", ")}`);
  await stopProcess(server.child);
  rmSync(folder, { recursive: true, force: true });
}

/** Mean of a few reports, because one of them may fall into a garbage collection. */
const mean = (some: readonly State[], of: (state: State) => number) =>
  some.reduce((sum, state) => sum + of(state), 0) / some.length;
const before = states.slice(warm, warm + 3);
const after = states.slice(-3);
const growth = mean(after, ({ rssMb }) => rssMb) / mean(before, ({ rssMb }) => rssMb) - 1;
const files = mean(after, (state) => state.files) - mean(before, (state) => state.files);
console.log(`memory ${(100 * growth).toFixed(1)} %, files ${files.toFixed(1)} since the warm-up`);
if (growth > GROWTH || files > clients) process.exitCode = 1;
