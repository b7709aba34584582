import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, globalAgent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { variableNames } from "#lib/catalog/variables.ts";
import { formatInstant } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { startBare } from "./measured-load.ts";
import { MEASURED_KEY, OTHER_KEY, stopProcess } from "./measured-server.ts";
import { askAsOthers, describeOthers } from "./others.ts";
import { cpuSeconds } from "./proc.ts";
import { longest, startWatchedServer } from "./watched-server.ts";

const NOW = Date.UTC(2026, 2, 1) / 1000;
const BURST = 30;
const PLACES = 10_000;
const WARM_S = 5;
const ALONE_S = 10;
const SECONDS = 20;
const PER_SECOND = 40;
const limits = { point: 100, health: 50 };
const STRETCH_MS = 20;

const random = seeded(7);
const headersOf = (key: string) => ({ "content-type": "application/json", "x-api-key": key });
const json = (points: object[], variables: readonly string[]) => JSON.stringify({ points, variables });
const place = (latitude: number, longitude: number, hours: number) => ({
  latitude,
  longitude,
  timestamp: formatInstant(NOW + Math.round(hours) * 3600),
});
const scattered = () => place(160 * random() - 80, 360 * random() - 180, 200 * random());

/**
 * What one owner's burst of heavy requests costs others, on the demo world: one-point requests of another key and
 * /healthz at an even rate, without and beside it, and a bare handler at the same time (see `askAsOthers`: the client that
 * times is a process of its own); and how soon the burst is refused. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const server = await startWatchedServer(folder, NOW);
  const { child, url, stalls } = server;
  const bare = await startBare(300);
  const bodies = Array.from({ length: BURST }, () =>
    json(Array.from({ length: PLACES }, scattered), variableNames),
  );
  const point = json([place(48.5, -5.5, 3)], ["wind"]);
  const watch = (seconds: number) =>
    askAsOthers(server, bare, { key: OTHER_KEY, point, perSecond: PER_SECOND, seconds });
  try {
    // What the first requests of a process take is compiling.
    await Promise.all(bodies.slice(0, 2).map((body) => ask(`${url}/MetOcean`, body, globalAgent)));
    await watch(WARM_S);
    console.log(`alone: ${describeOthers(await watch(ALONE_S))}`);
    await stalls();
    const watched = watch(SECONDS);
    // Until the watching processes run.
    await delay(2_000);
    const cpu = await cpuSeconds(child);
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const replies = await Promise.all(bodies.map((body) => ask(`${url}/MetOcean`, body, agent)));
    const used = (await cpuSeconds(child)) - cpu;
    agent.destroy();
    const beside = describeOthers(await watched, limits);
    console.log(`beside ${BURST} requests of ${PLACES} places × ${variableNames.length}: ${beside}`);
    for (const status of [...new Set(replies.map((reply) => reply.status))].sort()) {
      const same = replies.filter((reply) => reply.status === status).map(({ ms }) => ms);
      const [first, last] = [Math.min(...same), Math.max(...same)].map((ms) => (ms / 1000).toFixed(1));
      console.log(`  ${same.length} of the burst: ${status} after ${first} to ${last} s`);
    }
    const noted = await stalls();
    const over = noted.filter(({ cpu }) => cpu > STRETCH_MS).length;
    console.log(
      `  longest work of the main thread at a stretch: ${longest(noted, "cpu").toFixed(0)} ms of processor time, ${over} over ${STRETCH_MS} ms`,
    );
    console.log(`  processor time of the server: ${used.toFixed(1)} s`);
  } finally {
    await stopProcess(bare.child);
    await stopProcess(child);
    await rm(folder, { recursive: true });
  }
}

/** @returns Its status, and when its last byte came. */
async function ask(url: string, body: string, agent: Agent): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const sent = request(url, { method: "POST", headers: headersOf(MEASURED_KEY), agent });
  sent.end(body);
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  reply.resume();
  await once(reply, "end");
  return { status: reply.statusCode!, ms: performance.now() - begun };
}
