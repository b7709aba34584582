import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { load, type Measured, report } from "./measured-load.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";

const NOW = 1_767_225_600;
const STEPS = 6;
const SECONDS = 5;
const ROUNDS = 3;

/**
 * Frames of wind that are in memory, through the whole server: what a replica gives to a CDN, or to pages without one. A
 * frame of 1° has about 100 kB, one of the eight of 0.25° about 90. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const server = await startMeasuredServer(folder, NOW);
  const headers = { "x-api-key": MEASURED_KEY, "accept-encoding": "br" };
  try {
    const manifest = await fetch(`${server.url}/2DMetOcean/manifest?variable=wind`, { headers });
    const [run] = ((await manifest.json()) as { runs: DrawableRun[] }).runs;
    const at = `/2DMetOcean/frames/${run!.dataset}/${run!.run}/wind`;
    const level = run!.levels.at(-1)!;
    const [chunk = ""] = chunkNames(level.grid, level.chunk);
    const paths = run!.times.slice(0, STEPS).map((time) => framePath(at, time, level.level, chunk));
    let bytes = 0;
    for (const each of paths) {
      const reply = await fetch(server.url + each, { headers });
      if (reply.status !== 200) throw new Error(`${each} is ${reply.status}`);
      await reply.arrayBuffer();
      bytes += Number(reply.headers.get("content-length"));
    }
    const requests = paths.map((each) => ({ method: "GET" as const, path: each, headers }));
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await load(server.url, requests, server.child, SECONDS));
    report(`frames in memory, ${Math.round(bytes / paths.length / 1000)} kB each`, rounds);
    const etags = requests.map((request) => ({
      ...request,
      headers: { ...headers, "if-none-match": "*" },
    }));
    const again: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++)
      again.push(await load(server.url, etags, server.child, SECONDS));
    report("the same, 304", again);
  } finally {
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}
