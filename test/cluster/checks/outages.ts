import { setTimeout as delay } from "node:timers/promises";
import { untilNone } from "#test/chaos/until-none.ts";
import { seeded } from "#test/seeded.ts";
import type { Cluster } from "../cluster.ts";
import { Callers } from "../load/callers.ts";
import { type KnownRequest, knownRequests } from "../load/catalogue.ts";
import { pendingTasks, submitOne, succeeded } from "../load/one-task.ts";
import { storeStates } from "../store.ts";
import type { Check } from "./check.ts";

/** Asked for before an outage and again in it, and only in it. */
const WARM = 20;
const COLD = 40;
/** Longest that an answer may take: a slow store has to be waited for. */
const TIMEOUT_MS = 45_000;
/** Longest until everything works again after an outage. */
const MAX_RECOVERY_S = 60;
const PAUSE_MS = 250;
const WATCH_MS = 1000;

interface Outage {
  name: string;
  begin(cluster: Cluster): Promise<unknown>;
  end(cluster: Cluster): Promise<unknown>;
  /** Shorter than the others, as a restart is. */
  maxSeconds?: number;
}

const ofStore = (name: string, state: string): Outage => ({
  name: `the store ${name}`,
  begin: ({ setStore }) => setStore(storeStates[state]!),
  end: ({ setStore }) => setStore(storeStates.ok!),
});

const outages: readonly Outage[] = [
  ofStore("is down", "down"),
  ofStore("is slow (2 s)", "slow"),
  ofStore("answers SlowDown", "slowdown"),
  ofStore("truncates", "truncate"),
  ofStore("does not answer", "stall"),
  {
    name: "the database is restarted",
    maxSeconds: 10,
    begin: ({ database }) => database.stop(),
    end: ({ database }) => database.start(),
  },
];

/**
 * The store and the database fail in turn. What is cached must be answered as before; what needs them gets the right answer or
 * a 503 of the service with Retry-After, never another one; afterwards all works again by itself, accepted tasks included.
 * Asked at the replicas, and by the proxy, which must keep them in service: it may not answer by itself.
 */
export const outagesCheck: Check = {
  // The second replica keeps next to nothing: what it is asked for comes from the store each time.
  prepare: async () => ({ settings: { web2: { ARCHIVE_CACHE_MB: "0", CHUNK_CACHE_MB: "1" } } }),
  async run(cluster, given) {
    const { singleUrl, loadKey, options } = cluster;
    const count = WARM + COLD * outages.length;
    const known = await knownRequests(singleUrl, loadKey, options.now, given.seed, count);
    const warm = known.slice(0, WARM);
    const complaints: string[] = [];
    for (const [index, outage] of outages.entries()) {
      const cold = known.slice(WARM + COLD * index, WARM + COLD * (index + 1));
      const seconds = Math.min(given.seconds, outage.maxSeconds ?? given.seconds);
      options.say(await pass(cluster, outage, seconds, warm, cold, complaints));
    }
    return { lines: [], complaints };
  },
};

/** @returns What was seen, for people. */
async function pass(
  cluster: Cluster,
  outage: Outage,
  seconds: number,
  warm: readonly KnownRequest[],
  cold: readonly KnownRequest[],
  complaints: string[],
): Promise<string> {
  const { loadKey } = cluster;
  const [origin = "", uncached = ""] = cluster.replicas.map(({ port }) => `http://127.0.0.1:${port}`);
  const submit = () => submitOne(origin, cluster.keys[0]!, cluster.options.now, TIMEOUT_MS);
  const during = (what: string) => complaints.push(`while ${outage.name}: ${what}`);

  const before = new Callers(origin, loadKey, warm);
  for (const request of warm) await before.ask(request, TIMEOUT_MS);
  for (const { what } of before.failures) complaints.push(`before ${outage.name}: ${what}`);

  const tasks = [await submit()];
  await outage.begin(cluster);
  const until = performance.now() + 1000 * seconds;
  const callers = {
    cached: new Callers(origin, loadKey, warm),
    other: new Callers(uncached, loadKey, cold),
    proxied: new Callers(cluster.url, loadKey, warm),
  };
  const askFor = async (callers: Callers, requests: readonly KnownRequest[]) => {
    const random = seeded(requests.length);
    while (performance.now() < until) {
      await callers.ask(requests[Math.floor(random() * requests.length)]!, TIMEOUT_MS);
      await delay(PAUSE_MS);
    }
  };
  const states = new Map<string, number>();
  const watch = async () => {
    while (performance.now() < until) {
      const status = await statusOf(`${origin}/readyz`);
      states.set(status, (states.get(status) ?? 0) + 1);
      tasks.push(await submit());
      await delay(WATCH_MS);
    }
  };
  await Promise.all([
    askFor(callers.cached, warm),
    askFor(callers.other, cold),
    askFor(callers.proxied, warm),
    watch(),
  ]);
  await outage.end(cluster);

  let left = "";
  const recoveryS = await untilNone(async () => {
    const after = new Callers(uncached, loadKey, cold);
    const asked = await Promise.all(cold.slice(0, 6).map((request) => after.ask(request, TIMEOUT_MS)));
    const ready = await Promise.all([origin, uncached].map((each) => statusOf(`${each}/readyz`)));
    left = after.failures[0]?.what ?? `/readyz is ${ready.join(" and ")}`;
    return asked.every(Boolean) && ready.every((status) => status === "200") ? 0 : 1;
  }, MAX_RECOVERY_S);
  if (recoveryS > MAX_RECOVERY_S) complaints.push(`after ${outage.name}: ${left}`);
  const key = cluster.keys[0]!;
  const tasksS = await untilNone(() => pendingTasks(origin, key), MAX_RECOVERY_S);
  for (const { id, status } of tasks) {
    if (!["202", "503"].includes(status)) during(`a task was answered ${status}`);
    if (id !== undefined && !(await succeeded(origin, key, id)))
      during(`task ${id} was accepted, and is lost`);
  }
  for (const { what } of callers.cached.failures) during(`what was cached is answered by ${what}`);
  for (const { what, isClear } of callers.other.failures) if (!isClear) during(what);
  for (const { what, isClear } of callers.proxied.failures) if (!isClear) during(`by the proxy: ${what}`);
  if (callers.proxied.answered === 0) during("the proxy answers nothing");
  const counts = Object.entries(callers).map(([name, { answered, failures, wrong, took }]) => {
    complaints.push(...wrong);
    const slowest = Math.max(0, ...took) / 1000;
    return `${name}: ${answered} answers (slowest ${slowest.toFixed(1)} s), ${failures.length} failed`;
  });
  const accepted = tasks.filter(({ id }) => id !== undefined).length;
  const ready = [...states].map(([status, count]) => `${status} ${count} times`).join(", ");
  return (
    `${outage.name} for ${seconds} s: ${counts.join("; ")}; tasks: ${accepted} accepted, ${tasks.length - accepted} refused; ` +
    `/readyz ${ready}; all works again ${recoveryS.toFixed(1)} s later, and the last task has ended after ${tasksS.toFixed(1)} s`
  );
}

async function statusOf(url: string): Promise<string> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await reply.arrayBuffer();
    return String(reply.status);
  } catch {
    return "no answer";
  }
}
