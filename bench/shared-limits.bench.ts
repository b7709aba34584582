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
import { median } from "./median.ts";
import { POINTS_START, pointBodies, pointHeaders, writeWind } from "./one-point.ts";

const PEPPER = "the pepper of the benchmark";
const REQUESTS = 10_000;
const LIMIT = parseLimit("5000 per 1 hour")!;
const ROUNDS = 4;
/** A p99 of 720 requests is decided by seven of them. */
const WAIT_ROUNDS = 9;
const PER_SECOND = 120;
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
  const { text } = await keys.create({ owner: "measured", limit: LIMIT });
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

/**
 * The same client asks both at the same moments at an even rate, so that whatever else the machine does meets both alike.
 * Of each the median of the rounds, because other programs disturb some of them.
 */
async function compareWaits(alone: MeasuredServer, replicas: MeasuredServer[]): Promise<void> {
  await warmUp(alone, 1);
  for (const replica of replicas) await warmUp(replica, 2);
  const ask = ({ url }: MeasuredServer, perSecond: number) => ({
    url: `${url}/MetOcean`,
    headers: pointHeaders,
    bodies: pointBodies,
    perSecond,
  });
  const targets = {
    alone: ask(alone, PER_SECOND),
    first: ask(replicas[0]!, PER_SECOND / 2),
    second: ask(replicas[1]!, PER_SECOND / 2),
  };
  const rounds: Record<keyof typeof targets, Waits>[] = [];
  for (let round = 0; round < WAIT_ROUNDS; round++) rounds.push(await steadyLoads(targets, SECONDS));
  const line = (name: string, of: (round: (typeof rounds)[number]) => Waits[]) => {
    const at = (read: (waits: Waits) => number) =>
      median(rounds.map((round) => of(round).reduce((sum, each) => sum + read(each) / of(round).length, 0)));
    const p99 = at((waits) => waits.p99);
    console.log(
      `${name}, ${PER_SECOND} a second: p50 ${at((waits) => waits.p50).toFixed(2)}, p99 ${p99.toFixed(2)} ms, ` +
        `the client late by ${at((waits) => waits.late).toFixed(1)} ms (p99)`,
    );
    return p99;
  };
  const single = line("one point, one process that shares nothing", (round) => [round.alone]);
  const shared = line("one point, two replicas of two processes", (round) => [round.first, round.second]);
  console.log(`p99: ${(shared / single).toFixed(2)} of one process that shares nothing`);
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
