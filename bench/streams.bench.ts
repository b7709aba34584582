import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type ClientRequest, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseLimit } from "#lib/contract/limit.ts";
import { KeyStore } from "#server/http/keys.ts";
import { readPepper } from "#server/http/pepper.ts";
import { monotonicMs, realClock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { streamLimits } from "#server/tasks/events.ts";
import { startMeasuredServer, stopProcess } from "./measured-server.ts";

const STREAMS = streamLimits.all;
const PHASE_MS = 20_000;
const ENDED_PER_SECOND = 20;

/**
 * GET /healthz of the real server without streams, with as many event streams as it takes, each for a waiting task of its
 * own, opened all at once, and while tasks end. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const { child, url } = await startMeasuredServer(folder, Date.UTC(2026, 0, 1) / 1000);
  const database = await openDatabase({ dataDir: folder });
  try {
    const keys = await createKeys(folder, database);
    const ids = await createTasks(database);
    await report(url, "no stream");
    let ends = 0;
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const streams = await Promise.all(
      ids.map((id, index) =>
        open(`${url}/task/${id}/events`, keys[keyOf(index)]!, agent, (text) => {
          if (text.includes("event: end")) ends++;
        }),
      ),
    );
    await report(url, `${STREAMS} streams`);
    const ending = ids.slice(0, (PHASE_MS / 1000) * ENDED_PER_SECOND);
    await Promise.all([
      report(url, `${STREAMS} streams, ${ENDED_PER_SECOND} tasks end each second`),
      endTasks(database, ending),
    ]);
    await delay(2_000);
    console.log(`${ends} of ${ending.length} ends arrived`);
    for (const stream of streams) stream.destroy();
  } finally {
    await database.close();
    await stopProcess(child);
    await rm(folder, { recursive: true });
  }
}

const keyOf = (stream: number) => Math.floor(stream / streamLimits.ofKey);

async function createKeys(dataDir: string, database: Database): Promise<string[]> {
  const pepper = await readPepper({ dataDir }, database);
  const store = new KeyStore(database.prisma, { pepper, clock: realClock });
  const limit = parseLimit("100000 per 1 minute");
  const texts: string[] = [];
  while (texts.length <= keyOf(STREAMS - 1))
    texts.push((await store.create({ owner: `owner-${texts.length}`, limit })).text);
  return texts;
}

async function createTasks(database: Database): Promise<string[]> {
  const ids = Array.from({ length: STREAMS }, () => randomUUID());
  const now = new Date();
  const rest = { kind: "MetOcean", status: "PENDING", size: 1, createdAt: now, weatherNow: now };
  // Never claimed.
  const availableAt = new Date(4e12);
  await database.prisma.task.createMany({
    data: ids.map((id, index) => ({ ...rest, id, owner: `owner-${keyOf(index)}`, availableAt })),
  });
  return ids;
}

async function endTasks(database: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const ended = { finishedAt: new Date(), expiresAt: new Date(4e12) };
    await database.prisma.task.update({
      where: { id },
      data: { status: "FAILURE", error: "ended", ...ended },
    });
    await delay(1000 / ENDED_PER_SECOND);
  }
}

function open(
  url: string,
  key: string,
  agent: Agent,
  onText: (text: string) => void,
): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { "x-api-key": key } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A stream was answered ${response.statusCode}`));
      response.setEncoding("utf8").on("data", onText);
      resolve(request);
    });
    request.on("error", reject);
  });
}

async function report(url: string, name: string): Promise<void> {
  const times: number[] = [];
  const end = monotonicMs() + PHASE_MS;
  while (monotonicMs() < end) {
    const started = monotonicMs();
    await (await fetch(`${url}/healthz`)).text();
    times.push(monotonicMs() - started);
    await delay(10);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(1);
  console.log(`${name}: /healthz p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`);
}
