import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { type Limit, parseLimit } from "#lib/contract/limit.ts";
import { formatInstant } from "#lib/time.ts";
import { openContext } from "#server/context.ts";
import { KeyStore } from "#server/http/keys.ts";
import { memoryRateLimiter } from "#server/http/rate-limiter.ts";
import { apiRouter } from "#server/operations/list.ts";
import { realClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import { readEnv } from "#server/platform/env.ts";
import { createLogger } from "#server/platform/log.ts";
import { startPostgres } from "#test/postgres.ts";
import { load, type Measured, report } from "./measured-load.ts";
import { type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { POINTS_START, pointBodies, pointHeaders, writeWind } from "./one-point.ts";

const PEPPER = "the pepper of the benchmark";
const REQUESTS = 10_000;
const LIMIT = parseLimit("5000 per 1 hour")!;
const ROUNDS = 4;
const SECONDS = 6;
/** Requests that each process answers before it is measured: V8 compiles what it does often, each for itself. */
const WARM_UP = 15_000;

/**
 * 10,000 requests of one key over two replicas of two processes: how many are allowed, and how often the database is asked;
 * how long one-point requests take with limits that are shared and with limits in memory; and what PROCESSES=2 serves in a
 * second of its processors against PROCESSES=1. Needs the built pages.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const started: MeasuredServer[] = [];
  const start = async (name: string, settings: Record<string, string>) => {
    const server = await startMeasuredServer(path.join(folder, name), POINTS_START, "server/main.ts", {
      LOG_LEVEL: "warn",
      ...settings,
    });
    started.push(server);
    return server;
  };
  const stopAll = () => Promise.all(started.splice(0).map(({ child }) => stopProcess(child)));
  for (const name of ["alone", "shared", "two"]) await writeWind(path.join(folder, name, "archive"));
  const postgres = await startPostgres();
  try {
    const databaseUrl = await postgres.createDatabase("migrated");
    const shared = { DATABASE_URL: databaseUrl, KEY_PEPPER: PEPPER, PROCESSES: "2" };
    const replicas = [await start("shared", shared), await start("shared", shared)];
    await countAllowed(replicas, path.join(folder, "shared"), databaseUrl);
    await stopAll();
    await compareWaits(path.join(folder, "shared"), databaseUrl);
    await compareThroughput(await start("alone", {}), await start("two", { PROCESSES: "2" }));
  } finally {
    await stopAll();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function newKey(dataDir: string, databaseUrl: string, limit: Limit) {
  const database = await openDatabase({ dataDir, databaseUrl });
  const keys = new KeyStore(database.prisma, { pepper: PEPPER, clock: realClock });
  const key = await keys.create({ owner: "measured", limit });
  await database.close();
  return key;
}

async function countAllowed(replicas: MeasuredServer[], dataDir: string, databaseUrl: string): Promise<void> {
  const { text } = await newKey(dataDir, databaseUrl, LIMIT);
  const before = await asksOf(replicas);
  const results = await Promise.all(
    replicas.map(({ url }) =>
      autocannon({
        url: `${url}/MetOcean`,
        connections: 8,
        amount: REQUESTS / replicas.length,
        method: "POST",
        headers: { ...pointHeaders, "x-api-key": text },
        body: pointBodies[0]!,
      }),
    ),
  );
  const sum = (read: (result: autocannon.Result) => number) =>
    results.reduce((all, result) => all + read(result), 0);
  const allowed = sum((result) => result["2xx"]);
  const refused = sum((result) => result["4xx"]);
  const asks = (await asksOf(replicas)) - before;
  console.log(
    `${REQUESTS} requests of one key with ${LIMIT.text}: ${allowed} allowed ` +
      `(${percent(allowed / LIMIT.count - 1)}), ${refused} refused, ${asks} questions to the database ` +
      `(${percent(asks / REQUESTS)} of the requests)`,
  );
}

async function asksOf(replicas: MeasuredServer[]): Promise<number> {
  const texts = await Promise.all(replicas.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const values = texts.flatMap((text) => [...text.matchAll(/^rate_limit_asks\{.*\} (\d+)$/gm)]);
  return values.reduce((all, [, value]) => all + Number(value), 0);
}

/**
 * One process, every other request counted in its memory and every other one shared, so that whatever else the machine does
 * meets both alike: from the headers to the whole answer, without the sockets.
 */
async function compareWaits(dataDir: string, databaseUrl: string): Promise<void> {
  const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, KEY_PEPPER: PEPPER, ROLE: "web" };
  const env = readEnv({ ...settings, METOCEAN_NOW: formatInstant(POINTS_START) });
  const { context } = await openContext(env, createLogger("silent", [], { write() {} }));
  const { limiter: shared } = context;
  const memory = memoryRateLimiter(realClock);
  const limit = parseLimit("100000 per 1 minute")!;
  const alone = await newKey(dataDir, databaseUrl, limit);
  const sharing = await newKey(dataDir, databaseUrl, limit);
  context.limiter = {
    take: (bucket, of) => (bucket.endsWith(sharing.record.id) ? shared : memory).take(bucket, of),
  };
  const router = apiRouter(context);
  const waits = { alone: [] as number[], sharing: [] as number[] };
  const ask = async (name: keyof typeof waits, sent: number) => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "x-api-key": (name === "alone" ? alone : sharing).text,
    };
    const started = performance.now();
    const { status, body } = await router.answer({
      method: "POST",
      path: "/MetOcean",
      params: {},
      query: new URLSearchParams(),
      header: (header) => headers[header],
      address: "127.0.0.1",
      id: "bench",
      body: async () => Buffer.from(pointBodies[sent % pointBodies.length]!),
      signal: new AbortController().signal,
    });
    if (status !== 200 || typeof body !== "string") throw new Error(`A request was answered ${status}`);
    if (sent >= WARM_UP) waits[name].push(performance.now() - started);
  };
  for (let sent = 0; sent < WARM_UP + REQUESTS; sent += 4) {
    const batch = [0, 1, 2, 3].flatMap((index) => [ask("alone", sent + index), ask("sharing", sent + index)]);
    await Promise.all(batch);
  }
  await context.close();
  const at = (name: keyof typeof waits, share: number) =>
    waits[name].sort((one, other) => one - other)[Math.floor(share * waits[name].length)]!;
  for (const name of ["alone", "sharing"] as const) {
    console.log(
      `one point, limits ${name === "alone" ? "in memory" : "shared"}: p50 ${at(name, 0.5).toFixed(2)}, ` +
        `p99 ${at(name, 0.99).toFixed(2)}, p99.9 ${at(name, 0.999).toFixed(2)} ms`,
    );
  }
  console.log(`p99: ${(at("sharing", 0.99) / at("alone", 0.99)).toFixed(2)} of limits in memory`);
}

async function compareThroughput(one: MeasuredServer, two: MeasuredServer): Promise<void> {
  const ask = ({ url, child }: MeasuredServer) => load(`${url}/MetOcean`, requests, child, SECONDS);
  await warmUp(one, 1);
  await warmUp(two, 2);
  const found: { one: Measured[]; two: Measured[] } = { one: [], two: [] };
  for (let round = 0; round < ROUNDS; round++) {
    found.one.push(await ask(one));
    found.two.push(await ask(two));
  }
  const [single, both] = [report("PROCESSES=1", found.one), report("PROCESSES=2", found.two)];
  const share = both.rate / single.rate;
  console.log(
    `PROCESSES=2 serves ${percent(share)} of PROCESSES=1 in a core second, the process that supervises counted: ` +
      `${(2 * share).toFixed(2)}× on two cores of its own`,
  );
}

const requests = pointBodies.map((body) => ({ method: "POST" as const, headers: pointHeaders, body }));

async function warmUp({ url }: MeasuredServer, processes: number): Promise<void> {
  await autocannon({ url: `${url}/MetOcean`, connections: 16, amount: processes * WARM_UP, requests });
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
