import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { taskEvents } from "#clients/typescript/src/task-events.ts";
import { MEASURED_KEY, type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { submit } from "./measured-tasks.ts";
import { median } from "./median.ts";
import { cpuSecondsOfTree } from "./proc.ts";

const ROUNDS = 5;
const ROUTE = "/passages/evaluate";

/** A server that has used no processor time for so long is idle, milliseconds. */
const IDLE_MS = 300;

interface Sweep {
  /** Of the request. */
  body: object;
  /** A request that computes for some seconds. */
  long: object;
  /** All plans as JSON. */
  plans: string;
  /** Computes them in this process. @returns Seconds. */
  library(): Promise<number>;
}

/** Seconds on the clock of the client, and of the processor of the server. */
interface Timed {
  s: number;
  cpu: number;
}

/**
 * The same sweep from a server in a process of its own, by HTTP: at once and by a task, from the request to the last byte of
 * the plans, alternating with the library. All plans are compared with those of the library. Then a task is cancelled while
 * it is computed. Needs the built pages.
 *
 * @param archive Its folder.
 * @param now Weather clock, Unix seconds.
 */
export async function measureServed(archive: string, now: number, sweep: Sweep): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-departures-"));
  const server = await startMeasuredServer(folder, now, "server/main.ts", {
    ARCHIVE_URL: pathToFileURL(path.resolve(archive)).href,
    DEMO: "never",
  });
  try {
    const ways = {
      "at once": () => atOnce(server, sweep, "identity"),
      "at once, gzip": () => atOnce(server, sweep, "gzip"),
      "as a task": () => asTask(server, sweep),
    };
    const shares = new Set<number>();
    const measured = Object.entries(ways).map(([name, ask]) => ({ name, ask, warm: [] as Timed[] }));
    const cold = await timed(server, ways["at once"]);
    for (const { ask } of measured) await ask();
    const library: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      library.push(await sweep.library());
      for (const { ask, warm } of measured)
        warm.push(
          await timed(server, async () => {
            for (const share of (await ask()) ?? []) shares.add(share);
          }),
        );
    }
    const own = median(library);
    console.log(`served: cold ${cold.s.toFixed(2)} s (processor ${cold.cpu.toFixed(2)} s); warm, medians:`);
    console.log(`  library in this process, meanwhile ${own.toFixed(2)} s`);
    for (const { name, warm } of measured) {
      const s = median(warm.map((one) => one.s));
      console.log(
        `  ${name}: ${s.toFixed(2)} s, at most ${Math.max(...warm.map((one) => one.s)).toFixed(2)} s ` +
          `(processor ${median(warm.map(({ cpu }) => cpu)).toFixed(2)} s), ${(s / own).toFixed(1)}× the library`,
      );
    }
    console.log(`  progress that the tasks showed: ${[...shares].sort((a, b) => a - b).join(", ")}`);
    await cancelled(server, sweep.long);
  } finally {
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed({ child }: MeasuredServer, ask: () => Promise<unknown>): Promise<Timed> {
  const before = await cpuSecondsOfTree(child);
  const began = performance.now();
  await ask();
  const s = (performance.now() - began) / 1000;
  return { s, cpu: (await cpuSecondsOfTree(child)) - before };
}

async function atOnce({ url }: MeasuredServer, { body, plans }: Sweep, encoding: string): Promise<undefined> {
  const headers = { ...ownHeaders, "content-type": "application/json", "accept-encoding": encoding };
  const reply = await fetch(url + ROUTE, { method: "POST", headers, body: JSON.stringify(body) });
  check(await reply.text(), plans);
}

/** Follows it as the screen does. @returns The progress that was shown. */
async function asTask(server: MeasuredServer, { body, plans }: Sweep): Promise<number[]> {
  const id = await submit(server.url, ROUTE, MEASURED_KEY, { ...body, async: true });
  const shares: number[] = [];
  for await (const { progress } of followed(server, id)) shares.push(progress);
  const reply = await fetch(`${server.url}/task/${id}`, { headers: ownHeaders });
  check(await reply.text(), plans);
  return shares;
}

/**
 * Cancels tasks while they are computed, each a little later: from the cancel to its answer, to the end as the client sees
 * it, and to the last moment of the server's work.
 */
async function cancelled(server: MeasuredServer, body: object): Promise<void> {
  const rounds: { shown: number; answered: number; ended: number; free: number; cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const id = await submit(server.url, ROUTE, MEASURED_KEY, { ...body, async: true });
    let [shown, since] = [0, Number.NaN];
    const ends = (async () => {
      for await (const { progress } of followed(server, id)) shown = progress;
      return performance.now() - since;
    })();
    await delay(1000 + 130 * round);
    const before = await cpuSecondsOfTree(server.child);
    since = performance.now();
    const idle = idleAfter(server, since, before);
    const reply = await fetch(`${server.url}/cancel_task/${id}`, { method: "POST", headers: ownHeaders });
    const answered = performance.now() - since;
    const text = await reply.text();
    if (!text.includes("Task cancelled by user")) throw new Error(text.slice(0, 300));
    rounds.push({ shown, answered, ended: await ends, ...(await idle) });
  }
  const most = (key: keyof (typeof rounds)[number]) => Math.max(...rounds.map((round) => round[key]));
  console.log(
    `${rounds.length} longer tasks, cancelled at a progress of ${rounds.map(({ shown }) => shown.toFixed(2)).join(", ")}: ` +
      `answered after at most ${most("answered").toFixed(0)} ms, their events ended after ${most("ended").toFixed(0)} ms, ` +
      `the processor was free after ${most("free").toFixed(0)} ms, of which it used ${most("cpu").toFixed(0)} ms`,
  );
}

/** @returns Milliseconds from a moment on until a server became idle, and of the processor that it used meanwhile. */
async function idleAfter(
  { child }: MeasuredServer,
  since: number,
  before: number,
): Promise<{ free: number; cpu: number }> {
  let [used, last] = [before, since];
  for (;;) {
    const now = await cpuSecondsOfTree(child);
    // One tick of the kernel is what timers and this connection use.
    if (now - used > 0.015) [used, last] = [now, performance.now()];
    else if (performance.now() - last > IDLE_MS) return { free: last - since, cpu: 1000 * (now - before) };
    await delay(5);
  }
}

const ownHeaders = { "x-api-key": MEASURED_KEY };

function followed({ url }: MeasuredServer, id: string) {
  const service: Parameters<typeof taskEvents>[0] = {
    send: (to, { headers, signal } = {}) =>
      fetch(url + to, { headers: { ...headers, ...ownHeaders }, signal }),
  };
  return taskEvents(service, id, {});
}

/** @throws Error if an envelope has not these plans, in the same text. */
function check(text: string, plans: string): void {
  if (!text.includes(`"results":${plans}`)) throw new Error(`Other plans: ${text.slice(0, 300)}`);
}
