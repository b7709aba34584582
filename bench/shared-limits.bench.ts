import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { parseLimit } from "#lib/contract/limit.ts";
import { KeyStore } from "#server/http/keys.ts";
import { realClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";
import { startPostgres } from "#test/postgres.ts";
import { load, type Measured, report, steadyLoads, type Waits } from "./measured-load.ts";
import { type MeasuredServer, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { POINTS_START, pointBodies, pointHeaders, writeWind } from "./one-point.ts";

const PEPPER = "the pepper of the benchmark";
const REQUESTS = 10_000;
const LIMIT = parseLimit("5000 per 1 hour")!;
const ROUNDS = 4;
const SECONDS = 6;
const PER_SECOND = 120;

/** Requests that each process answers before it is measured: V8 compiles what it does often, each for itself. */
const WARM_UP = 15_000;

/**
 * 10,000 requests of one key over two replicas of two processes: how many are allowed, and how often the database is asked;
 * one-point requests at an even rate there and on one process that shares nothing; and what PROCESSES=2 serves in a second of
 * its processors against PROCESSES=1. Needs the built pages.
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
    await compareWaits(await start("alone", {}), replicas);
    await stopAll();
    await compareThroughput(await start("alone", {}), await start("two", { PROCESSES: "2" }));
  } finally {
    await stopAll();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function countAllowed(replicas: MeasuredServer[], dataDir: string, databaseUrl: string): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl });
  const keys = new KeyStore(database.prisma, { pepper: PEPPER, clock: realClock });
  const { text } = await keys.create({ owner: "counted", limit: LIMIT });
  await database.close();
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

/** By turns at the same rate; of each the median of the rounds, because other programs disturb some of them. */
async function compareWaits(alone: MeasuredServer, replicas: MeasuredServer[]): Promise<void> {
  const ask = async (servers: MeasuredServer[]): Promise<Waits> => {
    const targets = servers.map(({ url }, index) => [
      String(index),
      {
        url: `${url}/MetOcean`,
        headers: pointHeaders,
        bodies: pointBodies,
        perSecond: PER_SECOND / servers.length,
      },
    ]);
    const waits = Object.values(await steadyLoads(Object.fromEntries(targets), SECONDS));
    const mean = (of: keyof Waits) => waits.reduce((sum, each) => sum + each[of], 0) / waits.length;
    return {
      p50: mean("p50"),
      p90: mean("p90"),
      p99: mean("p99"),
      p999: mean("p999"),
      late: mean("late"),
      refused: 0,
    };
  };
  await warmUp(alone, 1);
  for (const replica of replicas) await warmUp(replica, 2);
  const rounds: { one: Waits; many: Waits }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ one: await ask([alone]), many: await ask(replicas) });
  const median = (of: (round: { one: Waits; many: Waits }) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  const line = (name: string, of: (round: { one: Waits; many: Waits }) => Waits) =>
    console.log(
      `${name}, ${PER_SECOND} a second: p50 ${median((round) => of(round).p50).toFixed(1)}, ` +
        `p99 ${median((round) => of(round).p99).toFixed(1)} ms, the client late by ${median((round) => of(round).late).toFixed(1)} ms (p99)`,
    );
  line("one point, one process that shares nothing", ({ one }) => one);
  line("one point, two replicas of two processes", ({ many }) => many);
  console.log(`p99: ${median(({ one, many }) => many.p99 / one.p99).toFixed(2)} of one process`);
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
