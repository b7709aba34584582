import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { largeBodies, sendBody } from "./large-bodies.ts";
import { steadyLoad } from "./measured-load.ts";
import { stopProcess } from "./measured-server.ts";
import { longest, startWatchedServer, type WatchedServer } from "./watched-server.ts";

const NOW = Date.UTC(2026, 0, 1) / 1000;
const HEALTH_PER_SECOND = 100;
const PHASE_S = 4;

/**
 * GET /healthz of the real server while one client after the other sends large bodies of one kind, and the longest pause of
 * the thread that answers: as time, and as processor time of that thread. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const server = await startWatchedServer(folder, NOW);
  const { child, url } = server;
  try {
    await report("no body", server, async () => 0);
    for (const [target, limit] of [
      ["/MetOcean/async", bodyLimits.async],
      ["/MetOcean", bodyLimits.sync],
      ["/2DMetOcean", bodyLimits.sync],
      ["/storms/approach", bodyLimits.sync],
    ] as const)
      for (const [name, body] of largeBodies(limit, NOW)) {
        const size = (body.length / 2 ** 20).toFixed(1);
        await report(`${target}, ${name}, ${size} MiB`, server, () => sendBody(url + target, body));
        const packed = gzipSync(body, { level: 1 });
        await report(`${target}, ${name}, gzip`, server, () => sendBody(url + target, packed, "gzip"));
      }
  } finally {
    await stopProcess(child);
    await rm(folder, { recursive: true });
  }
}

/** Sends again and again for a while. */
async function report(name: string, server: WatchedServer, once: () => Promise<number>): Promise<void> {
  const statuses = new Set<number>();
  let sent = 0;
  await server.stalls();
  const health = steadyLoad(`${server.url}/healthz`, {}, HEALTH_PER_SECOND, PHASE_S);
  let ended = false;
  const waits = health.finally(() => {
    ended = true;
  });
  while (!ended) {
    statuses.add(await once());
    sent++;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { p99, p999 } = await waits;
  const stalls = await server.stalls();
  const longestOf = (key: "wall" | "cpu") => longest(stalls, key).toFixed(0);
  console.log(
    `${name}: ${sent} × ${[...statuses].join(" and ")}; /healthz p99 ${p99.toFixed(0)}, p99.9 ${p999.toFixed(0)} ms; ` +
      `longest pause ${longestOf("wall")} ms, of the thread's processor time ${longestOf("cpu")} ms`,
  );
}
