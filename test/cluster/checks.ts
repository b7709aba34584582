import { setTimeout as delay } from "node:timers/promises";
import { untilNone } from "#test/chaos/until-none.ts";
import { seeded } from "#test/seeded.ts";
import { type Cluster, type StoreState, workingStore } from "./cluster.ts";
import { ask, Callers, type Failure, type KnownRequest, knownRequests, MixedLoad } from "./load.ts";

/** Options of a check by `npm run lab -- cluster --check`. */
export interface CheckOptions {
  seed: number;
  kills: number;
  seconds: number;
  rounds: number;
}

export interface CheckResult {
  /** Observations, for people. */
  lines: string[];
  /** Violations. */
  complaints: string[];
}

/** An action on a cluster, with the guarantees that must hold meanwhile. */
export type Check = (cluster: Cluster, given: CheckOptions) => Promise<CheckResult>;

/** Longest pause before a kill, and duration of load before, between and after restarts, milliseconds. */
const MAX_PAUSE_MS = 2500;
/** Number of kills between two inspections. */
const ROUND = 10;

/**
 * Kills any replica at random moments under mixed load. No acknowledged task may be lost or emailed under two
 * Message-IDs, and a request may fail only if it was in progress on the killed replica. On a reused connection haproxy
 * closes without an answer, so the replica is not known then.
 */
const kills: Check = async (cluster, given) => {
  const random = seeded(given.seed);
  const load = await MixedLoad.start(cluster, given.seed);
  const done: { name: string; isWeb: boolean; from: number; to: number }[] = [];
  const complaints: string[] = [];
  for (let killed = 1; killed <= given.kills; killed++) {
    await delay(MAX_PAUSE_MS * random());
    const replica = cluster.replicas[Math.floor(random() * cluster.replicas.length)]!;
    const from = performance.now();
    await replica.part.kill();
    done.push({ name: replica.part.name, isWeb: replica.role === "web", from, to: performance.now() });
    await cluster.start(replica);
    if (killed % ROUND !== 0 && killed !== given.kills) continue;
    complaints.push(...(await load.inspect()));
    cluster.options.say(
      `${killed} kills, ${load.clients.acknowledged.length} tasks, ${complaints.length} complaints`,
    );
  }
  const wasInFlight = ({ from, to, servedBy }: Failure) =>
    done.some(
      (kill) =>
        (kill.name === servedBy || (servedBy === undefined && kill.isWeb)) &&
        from <= kill.to &&
        to >= kill.from,
    );
  complaints.push(...(await load.stop(wasInFlight)));
  const counts = Map.groupBy(done, ({ name }) => name);
  const list = [...counts].map(([name, all]) => `${name} ${all.length}`).join(", ");
  return { lines: [`${given.kills} kills −9: ${list}`, ...load.summary()], complaints };
};

/**
 * Restarts every replica, one after another: SIGTERM, and the next one when the new process works. No request may fail.
 */
const rolling: Check = async (cluster, given) => {
  const load = await MixedLoad.start(cluster, given.seed);
  const complaints: string[] = [];
  const stops: string[] = [];
  for (let round = 0; round < given.rounds; round++)
    for (const replica of cluster.replicas) {
      await delay(MAX_PAUSE_MS);
      const seconds = await replica.part.stop();
      const { name } = replica.part;
      if (seconds === undefined) complaints.push(`${name} had to be killed: it did not end by itself`);
      stops.push(`${name} ${seconds?.toFixed(1) ?? "-"} s`);
      await cluster.start(replica);
      cluster.options.say(`${name} was restarted; ${load.callers.failures.length} requests failed so far`);
    }
  await delay(MAX_PAUSE_MS);
  complaints.push(...(await load.stop()));
  return { lines: [`from SIGTERM to the end: ${stops.join(", ")}`, ...load.summary()], complaints };
};

/** Number of requests that are sent before an outage and again in it, and number of those sent only in it. */
const WARM = 20;
const COLD = 40;
/** Longest time of an answer, milliseconds, because a slow store has to be waited for. */
const TIMEOUT_MS = 45_000;
/** Longest time until everything works again after an outage, seconds. */
const MAX_RECOVERY_S = 60;

interface Outage {
  name: string;
  begin(cluster: Cluster): unknown;
  end(cluster: Cluster): unknown;
}

const ofStore = (name: string, state: StoreState): Outage => ({
  name: `the store ${name}`,
  begin: ({ setStore }) => setStore(state),
  end: ({ setStore }) => setStore(workingStore),
});

const outageList: readonly Outage[] = [
  ofStore("is down", { latencyMs: 0, fault: { kind: "refuse" } }),
  ofStore("is slow (2 s)", { latencyMs: 2000 }),
  ofStore("answers SlowDown", { latencyMs: 30, fault: { kind: "slow-down" } }),
  ofStore("truncates", { latencyMs: 30, fault: { kind: "truncate", after: 100 } }),
  ofStore("does not answer", { latencyMs: 0, fault: { kind: "stall" } }),
  {
    name: "the database is away",
    begin: ({ database }) => database.cut(),
    end: ({ database }) => database.restore(),
  },
];

/**
 * The store and the database fail in turn. Cached data must be answered as before. Other requests must get the right
 * answer, or a 503 of the service with Retry-After, but never a wrong answer. Afterwards everything must work again by
 * itself, including accepted tasks. Requests go to the replicas, and to the proxy, which must keep them in service and
 * may not answer by itself.
 */
const outages: Check = async (cluster, given) => {
  const known = await knownRequests(cluster, given.seed, WARM + COLD * outageList.length);
  const warm = known.slice(0, WARM);
  const complaints: string[] = [];
  for (const [index, outage] of outageList.entries()) {
    const cold = known.slice(WARM + COLD * index, WARM + COLD * (index + 1));
    cluster.options.say(await pass(cluster, outage, given.seconds, warm, cold, complaints));
  }
  return { lines: [], complaints };
};

/** @returns Observations, for people. */
async function pass(
  cluster: Cluster,
  outage: Outage,
  seconds: number,
  warm: readonly KnownRequest[],
  cold: readonly KnownRequest[],
  complaints: string[],
): Promise<string> {
  const { loadKey } = cluster;
  const [origin = "", uncached = ""] = cluster.replicas.map(({ url }) => url);
  const complain = (what: string) => complaints.push(`while ${outage.name}: ${what}`);
  const before = new Callers(origin, loadKey, warm);
  for (const request of warm) await before.ask(request, TIMEOUT_MS);
  for (const { what } of before.failures) complaints.push(`before ${outage.name}: ${what}`);

  const tasks = [await submitOne(cluster, origin)];
  await outage.begin(cluster);
  const until = performance.now() + 1000 * seconds;
  const goesOn = () => performance.now() < until;
  const cached = new Callers(origin, loadKey, warm);
  const other = new Callers(uncached, loadKey, cold);
  const proxied = new Callers(cluster.url, loadKey, warm);
  const submitting = async () => {
    for (; goesOn(); await delay(1000)) tasks.push(await submitOne(cluster, origin));
  };
  const asking = [cached, other, proxied].map((callers, seed) =>
    callers.askWhile(goesOn, seed, 250, TIMEOUT_MS),
  );
  await Promise.all([...asking, submitting()]);
  await outage.end(cluster);

  const recoveryS = await untilNone(async () => {
    const after = new Callers(uncached, loadKey, cold);
    const asked = await Promise.all(cold.slice(0, 6).map((request) => after.ask(request, TIMEOUT_MS)));
    const ready = await Promise.all([origin, uncached].map((each) => statusOf(`${each}/readyz`)));
    return asked.every(Boolean) && ready.every((status) => status === 200) ? 0 : 1;
  }, MAX_RECOVERY_S);
  if (recoveryS > MAX_RECOVERY_S) complaints.push(`after ${outage.name}: not all works again`);
  const key = cluster.keys[0]!;
  const read = async (path: string) => JSON.parse((await ask(origin, key, { method: "GET", path })).text);
  await untilNone(async () => (await read("/user/tasks/PENDING")).results.length, MAX_RECOVERY_S);
  for (const { id, status } of tasks) {
    if (status !== 202 && status !== 503) complain(`a task was answered ${status}`);
    if (id !== undefined && (await read(`/task/${id}`)).status !== "SUCCESS")
      complain(`task ${id} was accepted, and is lost`);
  }
  for (const { what } of cached.failures) complain(`what was cached is answered by ${what}`);
  for (const { what, isClear } of [...other.failures, ...proxied.failures]) if (!isClear) complain(what);
  if (proxied.answered === 0) complain("the proxy answers nothing");
  for (const { wrong } of [cached, other, proxied]) complaints.push(...wrong);
  const counts = Object.entries({ cached, other, proxied }).map(
    ([name, { answered, failures, took }]) =>
      `${name}: ${answered} answers (slowest ${(Math.max(0, ...took) / 1000).toFixed(1)} s), ${failures.length} failed`,
  );
  const accepted = tasks.filter(({ id }) => id !== undefined).length;
  return `${outage.name}: ${counts.join("; ")}; ${accepted} of ${tasks.length} tasks accepted; all works again ${recoveryS.toFixed(1)} s later`;
}

/** Submits a task of one place. @returns Its id if it was accepted, and the reply. */
async function submitOne(
  { keys, options }: Cluster,
  origin: string,
): Promise<{ id?: string; status: number }> {
  const points = [{ latitude: 41, longitude: -31, timestamp: options.now }];
  const request = {
    method: "POST",
    path: "/MetOcean/async",
    body: JSON.stringify({ points, variables: ["wind"] }),
  } as const;
  const { status, text } = await ask(origin, keys[0]!, request, AbortSignal.timeout(TIMEOUT_MS));
  return status === 202 ? { status, id: JSON.parse(text).task_id } : { status };
}

async function statusOf(url: string): Promise<number> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ status }) => status,
    () => 0,
  );
}

export const checks: Readonly<Record<string, Check>> = { kills, rolling, outages };
