import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { load, type Measured, report, startBare } from "./measured-load.ts";
import { type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import {
  pointBodies as bodies,
  pointHeaders as headers,
  POINTS_START as START,
  writeWind,
} from "./one-point.ts";

const SECONDS = 8;
const ROUNDS = 3;

/**
 * Compares one-point requests through the whole server (key, limit, validation, interpolation, envelope, log, metrics)
 * with a bare node handler that reads the same body and answers a constant of equal size. Each server has a process of
 * its own, and they take turns in one run. It needs the built pages, because the server under test is the real one.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const started: ChildProcess[] = [];
  try {
    await writeWind(path.join(folder, "archive"));
    const full = await startMeasuredServer(folder, START);
    started.push(full.child);
    const sample = await fetch(`${full.url}/MetOcean`, { method: "POST", headers, body: bodies[0] });
    const text = await sample.text();
    if (sample.status !== 200 || text.includes("null"))
      throw new Error(`The server answers ${sample.status} ${text}`);
    const bare = await startBare(text.length);
    started.push(bare.child);

    const requests = bodies.map((body) => ({ method: "POST" as const, headers, body }));
    const ask = ({ url, child }: MeasuredServer, seconds = SECONDS) =>
      load(`${url}/MetOcean`, requests, child, seconds);
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    await ask(full, 2);
    await ask(bare, 2);
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await ask(full));
      theirs.push(await ask(bare));
    }
    const [whole, plain] = [
      report("one point, whole server", ours),
      report("one point, bare node:http", theirs),
    ];
    console.log(`one point: ${(whole.rate / plain.rate).toFixed(2)} of a bare handler`);
  } finally {
    for (const child of started) await stopProcess(child);
    await rm(folder, { recursive: true, force: true });
  }
}
