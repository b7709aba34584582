import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { formatInstant } from "#lib/time.ts";
import { beginRun } from "#server/archive/writer.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "#server/scripts/testing/measured-server.ts";

const START = 1_767_225_600;
const STEPS = 9;
const STEP_S = 10_800;
const SECONDS = 8;
const ROUNDS = 3;

/**
 * One-point requests through the whole server (key, limit, validation, interpolation, envelope, log, metrics) against a
 * bare node handler that reads the same body and answers a constant of equal size: each server in a process of its own,
 * taking turns in one run. Needs the built pages, because the server under test is the real one.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const started: ChildProcess[] = [];
  try {
    await writeArchive(path.join(folder, "archive"));
    const full = await startFull(folder, started);
    const sample = await fetch(`${full}/MetOcean`, { method: "POST", headers, body: bodies[0] });
    const text = await sample.text();
    if (sample.status !== 200 || text.includes("null"))
      throw new Error(`The server answers ${sample.status} ${text}`);
    const bare = await startBare(text.length, started);

    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    const [server, handler] = started as [ChildProcess, ChildProcess];
    await load(`${full}/MetOcean`, server, 2);
    await load(`${bare}/MetOcean`, handler, 2);
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await load(`${full}/MetOcean`, server));
      theirs.push(await load(`${bare}/MetOcean`, handler));
    }
    const [whole, plain] = [report("whole server", ours), report("bare node:http", theirs)];
    console.log(`one point: ${(whole / plain).toFixed(2)} of a bare handler`);
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const headers = { "content-type": "application/json", "x-api-key": MEASURED_KEY };

/** Other places and times each, so that no one answer is measured. */
const bodies = Array.from({ length: 64 }, (_, index) =>
  JSON.stringify({
    points: [
      {
        latitude: ((index * 37) % 120) - 60 + 0.1,
        longitude: ((index * 61) % 340) - 170 + 0.1,
        timestamp: formatInstant(START + ((index * 1700) % ((STEPS - 1) * STEP_S))),
      },
    ],
    variables: ["wind"],
  }),
);

/** A smooth wind on a 1° globe. */
async function writeArchive(folder: string): Promise<void> {
  const grid = {
    latitude: { start: -90, step: 1, count: 181 },
    longitude: { start: -180, step: 1, count: 360 },
  };
  const run = await beginRun(folder, {
    dataset: "Forecast",
    source: "gfs",
    model: "benchmark 1°",
    referenceTime: START,
    grid,
    times: Array.from({ length: STEPS }, (_, step) => START + step * STEP_S),
  });
  for (const [field, phase] of [
    ["eastward_wind_10m", 0],
    ["northward_wind_10m", 1],
  ] as const) {
    await run.writeField(field, {}, async (step) =>
      Float32Array.from({ length: 181 * 360 }, (_, index) => 10 * Math.sin(index / 500 + phase + step)),
    );
  }
  await run.publish();
}

async function startFull(folder: string, started: ChildProcess[]): Promise<string> {
  const { child, url } = await startMeasuredServer(folder, START);
  started.push(child);
  return url;
}

async function startBare(size: number, started: ChildProcess[]): Promise<string> {
  const child = spawn(process.execPath, ["-e", bareServer, String(size)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const [port] = (await once(child.stdout!, "data")) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}`;
}

const bareServer = `
  const body = "x".repeat(Number(process.argv[1]));
  const headers = { "content-type": "application/json", "content-length": body.length };
  const server = require("node:http").createServer((incoming, response) => {
    incoming.on("data", () => {}).on("end", () => response.writeHead(200, headers).end(body));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

interface Measured {
  perSecond: number;
  /** Requests in a second of the server's own processor time: what a core of its own would serve. */
  perCoreSecond: number;
  p50: number;
  p99: number;
}

async function load(url: string, server: ChildProcess, seconds = SECONDS): Promise<Measured> {
  const requests = bodies.map((body) => ({ method: "POST" as const, headers, body }));
  const before = await cpuSeconds(server);
  const result = await autocannon({ url, connections: 16, duration: seconds, requests, workers: 1 });
  const used = (await cpuSeconds(server)) - before;
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests to ${url} failed`);
  }
  const { requests: served, latency } = result;
  return {
    perSecond: served.average,
    perCoreSecond: served.total / used,
    p50: latency.p50,
    p99: latency.p99,
  };
}

/** Processor time of a process so far, from Linux's /proc; NaN elsewhere. */
export async function cpuSeconds({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // After the name in parentheses, user and system time are the 12th and 13th field, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Prints the round that was disturbed the least by what else the machine did. @returns Its requests per core second. */
function report(name: string, rounds: Measured[]): number {
  const best = rounds.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
  const perCore = Math.max(...rounds.map(({ perCoreSecond }) => perCoreSecond));
  console.log(
    `one point, ${name}: ${Math.round(best.perSecond)} requests/s, ${Math.round(perCore)} a core second, ` +
      `p50 ${best.p50} ms, p99 ${best.p99} ms`,
  );
  return Number.isNaN(perCore) ? best.perSecond : perCore;
}
