import { setTimeout as delay } from "node:timers/promises";
import { untilNone } from "#test/chaos/until-none.ts";
import { seeded } from "#test/seeded.ts";
import type { Cluster } from "../cluster.ts";
import { Callers } from "../load/callers.ts";
import { ask, type KnownRequest, knownRequests } from "../load/catalogue.ts";
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
 * Asked at a replica directly: a reverse proxy may take a replica that is not ready out of service.
 */
export const outagesCheck: Check = {
  async run(cluster, given) {
    const { singleUrl, loadKey, options } = cluster;
    const replica = cluster.replicas.find(({ role }) => role === "web")!;
    const origin = `http://127.0.0.1:${replica.port}`;
    const known = await knownRequests(
      singleUrl,
      loadKey,
      options.now!,
      given.seed,
      WARM + COLD * outages.length,
    );
    const warm = known.slice(0, WARM);
    const lines: string[] = [];
    const complaints: string[] = [];
    for (const [index, outage] of outages.entries()) {
      const cold = known.slice(WARM + COLD * index, WARM + COLD * (index + 1));
      const callers = { warm: new Callers(origin, loadKey, warm), cold: new Callers(origin, loadKey, cold) };
      for (const request of warm) await callers.warm.ask(request);
      if (callers.warm.failures.length > 0) complaints.push(`before ${outage.name}: not all is answered`);
      callers.warm.failures.length = 0;

      const tasks = [await submit(origin, cluster.keys[0]!, options.now!)];
      await outage.begin(cluster);
      const states = new Map<string, number>();
      const seconds = Math.min(given.seconds, outage.maxSeconds ?? given.seconds);
      const until = performance.now() + 1000 * seconds;
      const askFor = async (callers: Callers, requests: readonly KnownRequest[], seed: number) => {
        const random = seeded(seed);
        while (performance.now() < until) {
          await callers.ask(requests[Math.floor(random() * requests.length)]!, TIMEOUT_MS);
          await delay(PAUSE_MS);
        }
      };
      const watch = async () => {
        while (performance.now() < until) {
          const status = await statusOf(`${origin}/readyz`);
          states.set(status, (states.get(status) ?? 0) + 1);
          tasks.push(await submit(origin, cluster.keys[0]!, options.now!));
          await delay(1000);
        }
      };
      await Promise.all([askFor(callers.warm, warm, 1), askFor(callers.cold, cold, 2), watch()]);
      const ended = performance.now();
      await outage.end(cluster);

      const after = new Callers(origin, loadKey, known);
      const recoveryS = await untilNone(async () => {
        after.failures.length = 0;
        const [ready, ...asked] = await Promise.all([
          statusOf(`${origin}/readyz`),
          ...[...warm.slice(0, 3), ...cold.slice(0, 6)].map((request) => after.ask(request, TIMEOUT_MS)),
        ]);
        return asked.every(Boolean) && ready === "200" ? 0 : 1;
      }, MAX_RECOVERY_S);
      if (recoveryS > MAX_RECOVERY_S)
        complaints.push(`after ${outage.name}: ${after.failures[0]?.what ?? "not ready"}`);
      const accepted = tasks.filter(({ id }) => id !== undefined);
      const tasksS = await untilNone(() => pending(origin, cluster.keys[0]!), MAX_RECOVERY_S);
      for (const { id } of accepted)
        if (!(await succeeded(origin, cluster.keys[0]!, id!)))
          complaints.push(`in ${outage.name}: ${id} is lost`);

      const parts = { cached: callers.warm, other: callers.cold };
      const counts = Object.entries(parts).map(([name, { answered, failures, wrong, took }]) => {
        complaints.push(...wrong);
        for (const { what, isClear } of failures)
          if (!isClear) complaints.push(`while ${outage.name}, ${name}: ${what}`);
        const slowest = Math.max(0, ...took) / 1000;
        return `${name}: ${answered} answers, ${failures.length} times 503, slowest ${slowest.toFixed(1)} s`;
      });
      if (callers.warm.failures.length > 0)
        complaints.push(
          `while ${outage.name}: ${callers.warm.failures.length} cached answers: ${callers.warm.failures[0]!.what}`,
        );
      const refused = tasks.length - accepted.length;
      for (const { status } of tasks)
        if (!["202", "503"].includes(status))
          complaints.push(`while ${outage.name}: a task was answered ${status}`);
      const ready = [...states].map(([status, count]) => `${status} ${count} times`).join(", ");
      lines.push(
        `${outage.name} for ${seconds} s: ${counts.join("; ")}; tasks: ${accepted.length} accepted, ${refused} refused; ` +
          `/readyz ${ready}; all works ${recoveryS.toFixed(1)} s, the last task ended ${tasksS.toFixed(1)} s later ` +
          `(${((performance.now() - ended) / 1000).toFixed(0)} s in all)`,
      );
      options.say(lines.at(-1)!);
    }
    return { lines: [], complaints };
  },
};

async function statusOf(url: string): Promise<string> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await reply.arrayBuffer();
    return String(reply.status);
  } catch {
    return "no answer";
  }
}

async function submit(origin: string, key: string, now: string): Promise<{ id?: string; status: string }> {
  const points = [{ latitude: 41, longitude: -31, timestamp: now }];
  const body = JSON.stringify({ points, variables: ["wind"] });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = { method: "POST", path: "/MetOcean/async", body } as const;
    const { status, text } = await ask(origin, key, request, signal);
    return {
      status: String(status),
      ...(status === 202 && { id: (JSON.parse(text) as { task_id: string }).task_id }),
    };
  } catch (error) {
    return { status: `not at all: ${(error as Error).message}` };
  }
}

async function pending(origin: string, key: string): Promise<number> {
  const { text } = await ask(origin, key, { method: "GET", path: "/user/tasks/PENDING" });
  return (JSON.parse(text) as { results: unknown[] }).results.length;
}

async function succeeded(origin: string, key: string, id: string): Promise<boolean> {
  const { text } = await ask(origin, key, { method: "GET", path: `/task/${id}` });
  return (JSON.parse(text) as { status: string }).status === "SUCCESS";
}
