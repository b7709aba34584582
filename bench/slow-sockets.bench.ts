import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatInstant } from "#lib/time.ts";
import { cpuSeconds, memoryMiB, steadyLoad } from "./measured-load.ts";
import { MEASURED_KEY, type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { startSlowSockets } from "./slow-sockets.ts";

const NOW = Date.UTC(2026, 2, 1, 12) / 1000;
const SECONDS = 30;
const PER_SECOND = 50;
/** All sockets are open then. */
const OPENING_MS = 15_000;

/** 2,000 sockets, a third of each kind. */
const kinds = { headers: 700, bodies: 700, readers: 600 };

const onePoint = JSON.stringify({
  points: [{ latitude: 45, longitude: -30, timestamp: formatInstant(NOW) }],
  variables: ["wind"],
});

/**
 * What others meet while 2,000 sockets send their headers or bodies a byte at a time, or do not read: from eight addresses,
 * which stay within their limits, then from one, which does not. Needs the built pages; Linux only.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-slow-"));
  const server = await startMeasuredServer(folder, NOW);
  try {
    await phase(server, "alone, not yet warm");
    await phase(server, "alone");
    for (const addresses of [8, 1]) {
      const sockets = startSlowSockets(server.url, { ...kinds, addresses });
      try {
        await delay(OPENING_MS);
        await phase(
          server,
          `2,000 slow sockets of ${addresses === 1 ? "one address" : `${addresses} addresses`}`,
        );
        const { open, ended } = await sockets.report();
        const ends = Object.entries(ended).map(([name, count]) => `${name} ${count}`);
        console.log(`  ${open} of them are open; ended: ${ends.join(", ")}`);
      } finally {
        await sockets.stop();
      }
      await delay(5_000);
      await phase(server, "after them");
    }
  } finally {
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

async function phase(server: MeasuredServer, name: string): Promise<void> {
  const { child, url } = server;
  const headers = { "x-api-key": MEASURED_KEY, "content-type": "application/json" };
  const before = await cpuSeconds(child);
  const health = await steadyLoad(`${url}/healthz`, {}, PER_SECOND, SECONDS / 2);
  const point = await steadyLoad(`${url}/MetOcean`, headers, PER_SECOND, SECONDS / 2, onePoint);
  const used = (await cpuSeconds(child)) - before;
  const memory = await memoryMiB(child);
  console.log(
    `${name}: /healthz p50 ${health.p50.toFixed(1)} ms, p99 ${health.p99.toFixed(1)} ms; ` +
      `one point p50 ${point.p50.toFixed(1)} ms, p99 ${point.p99.toFixed(1)} ms; ` +
      `${((100 * used) / SECONDS).toFixed(0)} % of a processor; resident ${memory.now.toFixed(0)} MiB, ` +
      `${readdirSync(`/proc/${child.pid}/fd`).length} files and sockets`,
  );
}
