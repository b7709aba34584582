import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { load, type Measured, report, startBare } from "./measured-load.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";

const NOW = Date.parse("2026-09-15T12:00:00Z") / 1000;
const SECONDS = 6;
const ROUNDS = 3;

/**
 * Compares GET /storms of the real server with the demo's storms, as 200 and as 304, with a bare node handler that
 * sends the same bytes, in separate processes and interleaved in one run. It needs the built pages, because the server
 * under test is the real one.
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
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const key = { "x-api-key": MEASURED_KEY };

const ask = (url: string, headers: Record<string, string>, server: ChildProcess, seconds = SECONDS) =>
  load(url, [{ method: "GET", headers }], server, seconds);
