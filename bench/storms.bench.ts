import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatInstant } from "#lib/time.ts";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { load, type Measured, report, startBare, steadyLoad, type Waits } from "./measured-load.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";

const NOW = Date.parse("2026-09-15T12:00:00Z") / 1000;
const SECONDS = 6;
const ROUNDS = 3;
/** Requests per second below saturation: the latency is then the service's, not the wait for a processor. */
const STEADY = 1_000;
const root = path.resolve(import.meta.dirname, "..");

/**
 * GET /storms of the real server with the demo's storms, as 200 and as 304, against a bare node handler that sends the
 * same bytes, in separate processes and interleaved in one run. Then the same during repeated refreshes by the command, at
 * full load and at a fixed rate below saturation; for comparison also alone again, and next to an unrelated busy process.
 * Needs the built pages, because the server under test is the real one.
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
    const bare = await startBare(packed);
    started.push(bare.child);

    const whole = { ...key, "accept-encoding": "br" };
    const held = { ...key, "if-none-match": etag };
    const cases = [
      { name: "200, brotli", target: storms, server: child, headers: whole },
      { name: "304", target: storms, server: child, headers: held },
      { name: "bare node:http", target: bare.url, server: bare.child, headers: whole },
    ];
    const best = cases.map(() => [] as Measured[]);
    for (const { target, headers, server } of cases) await ask(target, headers, server, 2);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, { target, headers, server }] of cases.entries()) {
        best[index]!.push(await ask(target, headers, server));
      }
    }
    const [ours, unchanged, plain] = cases.map(({ name }, index) => report(`/storms, ${name}`, best[index]!));
    console.log(
      `/storms: ${(ours!.rate / plain!.rate).toFixed(2)} of a bare handler; 304: ${(unchanged!.rate / plain!.rate).toFixed(2)}`,
    );

    const mirror = path.join(folder, "mirror");
    await mirrorTexts(mirror);
    const alone = report("/storms, 200, brotli, alone again", await rounds(storms, whole, child));
    const busy = await whileRefreshing(folder, mirror, () => rounds(storms, whole, child));
    const besides = report(
      "/storms, 200, brotli, beside a foreign process that is always busy",
      await besideForeign(() => rounds(storms, whole, child)),
    );
    const refreshing = report("/storms, 200, brotli, while a command refreshes over and over", busy);
    console.log(
      `/storms, p99 during refreshes: ${refreshing.p99} ms; alone ${alone.p99} ms, beside a busy foreign process ${besides.p99} ms`,
    );

    const none = (): Waits[] => [];
    const waits = {
      ours: none(),
      oursRefreshing: none(),
      oursBeside: none(),
      bare: none(),
      bareRefreshing: none(),
    };
    for (let round = 0; round < ROUNDS; round++) {
      waits.ours.push(await steadyLoad(storms, whole, STEADY, SECONDS));
      waits.bare.push(await steadyLoad(bare.url, whole, STEADY, SECONDS));
      await whileRefreshing(folder, mirror, async () => {
        waits.oursRefreshing.push(await steadyLoad(storms, whole, STEADY, SECONDS));
        waits.bareRefreshing.push(await steadyLoad(bare.url, whole, STEADY, SECONDS));
      });
      await besideForeign(async () => {
        waits.oursBeside.push(await steadyLoad(storms, whole, STEADY, SECONDS));
      });
    }
    console.log(`An even ${STEADY} requests/s, the middle one of ${ROUNDS} rounds:`);
    console.log(
      `  /storms alone: ${describeWaits(waits.ours)}; during refreshes: ${describeWaits(waits.oursRefreshing)}`,
    );
    console.log(`  /storms beside a foreign process that is always busy: ${describeWaits(waits.oursBeside)}`);
    console.log(
      `  bare node:http alone: ${describeWaits(waits.bare)}; during refreshes: ${describeWaits(waits.bareRefreshing)}`,
    );
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const key = { "x-api-key": MEASURED_KEY };

async function mirrorTexts(folder: string): Promise<void> {
  for (const { source, text } of feedTexts("jtwc", NOW, { seed: 1 })) {
    await mkdir(path.join(folder, path.dirname(source)), { recursive: true });
    await writeFile(path.join(folder, source), text);
  }
}

/** Measures while the refresh command runs over and over. */
async function whileRefreshing<R>(folder: string, mirror: string, measure: () => Promise<R>): Promise<R> {
  const stop = new AbortController();
  const refreshes = keepRefreshing(folder, mirror, stop.signal);
  // Awaited below; until then a rejection must not end the measuring process.
  refreshes.catch(() => undefined);
  try {
    return await measure();
  } finally {
    stop.abort();
    await refreshes;
  }
}

/** Measures next to an unrelated process that uses a whole processor. */
async function besideForeign<R>(measure: () => Promise<R>): Promise<R> {
  const foreign = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  try {
    return await measure();
  } finally {
    await stopProcess(foreign);
  }
}

async function keepRefreshing(folder: string, mirror: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const args = ["server/cli.ts", "storms", "refresh", "--provider", "jtwc", "--from", mirror];
    const env = { ...process.env, DATA_DIR: folder, METOCEAN_NOW: formatInstant(NOW) };
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"], env });
    const [status] = (await once(child, "exit")) as [number];
    if (status !== 0) throw new Error(`The refresh ended with ${status}`);
  }
}

/** The round with the median p99. */
function describeWaits(rounds: readonly Waits[]): string {
  const { p50, p99, p999 } = rounds.toSorted((one, other) => one.p99 - other.p99)[rounds.length >> 1]!;
  const [half, most, nearly] = [p50, p99, p999].map((wait) => wait.toFixed(1));
  return `p50 ${half} ms, p99 ${most} ms, p99.9 ${nearly} ms`;
}

async function rounds(
  url: string,
  headers: Record<string, string>,
  server: ChildProcess,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) measured.push(await ask(url, headers, server));
  return measured;
}

const ask = (url: string, headers: Record<string, string>, server: ChildProcess, seconds = SECONDS) =>
  load(url, [{ method: "GET", headers }], server, seconds);
