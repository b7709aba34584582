import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { formatInstant } from "#lib/time.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "#server/scripts/testing/measured-server.ts";
import { demoTexts } from "#server/storms/demo/feed.ts";

const NOW = Date.parse("2026-09-15T12:00:00Z") / 1000;
const SECONDS = 6;
const ROUNDS = 3;
const root = path.resolve(import.meta.dirname, "../..");

/**
 * GET /storms of the real server with the demo world's storms, whole and as 304, against a bare node handler that sends the
 * same bytes: each in a process of its own, taking turns in one run. Then the same while a command refreshes the storms
 * from a directory, over and over. Needs the built pages, because the server under test is the real one.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const started: ChildProcess[] = [];
  try {
    const { child, url } = await startMeasuredServer(folder, NOW);
    started.push(child);
    const storms = `${url}/storms?provider=jtwc`;
    const sample = await fetch(storms, { headers: { ...key, "accept-encoding": "br" } });
    const bytes = (await sample.arrayBuffer()).byteLength;
    if (sample.status !== 200) throw new Error(`The server answers ${sample.status}`);
    const etag = sample.headers.get("etag")!;
    const packed = Number(sample.headers.get("content-length"));
    console.log(`/storms: ${bytes} bytes of JSON, ${packed} compressed`);
    const bare = await startBare(packed, started);

    const whole = { ...key, "accept-encoding": "br" };
    const held = { ...key, "if-none-match": etag };
    const cases = [
      { name: "200, brotli", target: storms, server: child, headers: whole },
      { name: "304", target: storms, server: child, headers: held },
      { name: "bare node:http", target: bare, server: started[1]!, headers: whole },
    ];
    const best = cases.map(() => [] as Measured[]);
    for (const { target, headers, server } of cases) await load(target, headers, server, 2);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, { target, headers, server }] of cases.entries()) {
        best[index]!.push(await load(target, headers, server));
      }
    }
    const [ours, unchanged, plain] = cases.map(({ name }, index) => report(name, best[index]!));
    console.log(
      `/storms: ${(ours! / plain!).toFixed(2)} of a bare handler; 304: ${(unchanged! / plain!).toFixed(2)}`,
    );

    const mirror = path.join(folder, "mirror");
    await mirrorTexts(mirror);
    const stop = new AbortController();
    const refreshes = keepRefreshing(folder, mirror, stop.signal);
    const busy: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) busy.push(await load(storms, whole, child));
    stop.abort();
    report(`200, brotli, during ${await refreshes} refreshes`, busy);
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const key = { "x-api-key": MEASURED_KEY };

async function mirrorTexts(folder: string): Promise<void> {
  for (const { source, text } of demoTexts("jtwc", 1, NOW)) {
    await mkdir(path.join(folder, path.dirname(source)), { recursive: true });
    await writeFile(path.join(folder, source), text);
  }
}

/** @returns How many refreshes there were, once the signal aborts. */
async function keepRefreshing(folder: string, mirror: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const args = ["server/cli.ts", "storms", "refresh", "--provider", "jtwc", "--from", mirror];
    const env = { ...process.env, DATA_DIR: folder, METOCEAN_NOW: formatInstant(NOW) };
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"], env });
    const [status] = (await once(child, "exit")) as [number];
    if (status !== 0) throw new Error(`The refresh ended with ${status}`);
    count++;
  }
  return count;
}

async function startBare(size: number, started: ChildProcess[]): Promise<string> {
  const child = spawn(process.execPath, ["-e", bareServer, String(size)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const [port] = (await once(child.stdout!, "data")) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}/storms`;
}

const bareServer = `
  const body = Buffer.alloc(Number(process.argv[1]));
  const headers = { "content-type": "application/json", "content-length": body.length };
  const server = require("node:http").createServer((_, response) => response.writeHead(200, headers).end(body));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

interface Measured {
  perSecond: number;
  /** Requests in a second of the server's own processor time: what a core of its own would serve. */
  perCoreSecond: number;
  p50: number;
  p99: number;
}

async function load(
  url: string,
  headers: Record<string, string>,
  server: ChildProcess,
  seconds = SECONDS,
): Promise<Measured> {
  const before = await cpuSeconds(server);
  const result = await autocannon({ url, connections: 16, duration: seconds, headers, workers: 1 });
  const used = (await cpuSeconds(server)) - before;
  const failed = result.errors + result["4xx"] + result["5xx"];
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  const { requests, latency } = result;
  return {
    perSecond: requests.average,
    perCoreSecond: requests.total / used,
    p50: latency.p50,
    p99: latency.p99,
  };
}

/** Processor time of a process so far, from Linux's /proc; NaN elsewhere. */
async function cpuSeconds({ pid }: ChildProcess): Promise<number> {
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
    `/storms, ${name}: ${Math.round(best.perSecond)} requests/s, ${Math.round(perCore)} a core second, ` +
      `p50 ${best.p50} ms, p99 ${best.p99} ms`,
  );
  return Number.isNaN(perCore) ? best.perSecond : perCore;
}
