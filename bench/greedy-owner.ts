import { setTimeout as delay } from "node:timers/promises";
import { OTHER_KEY } from "./measured-server.ts";

const TASKS = 20;
const PLACES = 200_000;
const BODY_BYTES = 32 * 2 ** 20;
const BODY_EVERY_MS = 6_000;

/**
 * An owner who holds 20 tasks of 200,000 places and sends ten bodies of 32 MiB a minute, each of them valid: what is not
 * places is white space.
 *
 * @param time Instant of all places.
 * @returns Ends it. How often the service answered what.
 */
export function startGreedyOwner(url: string, time: string): () => Promise<ReadonlyMap<string, number>> {
  const stop = new AbortController();
  const { signal } = stop;
  const counts = new Map<string, number>();
  const headers = { "x-api-key": OTHER_KEY, "content-type": "application/json" };

  async function submit(name: string, body: Buffer): Promise<void> {
    let outcome: string;
    try {
      const sent = { method: "POST", headers, body: body as BodyInit, signal };
      const reply = await fetch(`${url}/MetOcean/async`, sent);
      await reply.arrayBuffer();
      outcome = String(reply.status);
    } catch (error) {
      outcome = (error as Error).name;
    }
    if (!signal.aborted) counts.set(`${name} ${outcome}`, (counts.get(`${name} ${outcome}`) ?? 0) + 1);
  }

  async function holdTasks(): Promise<void> {
    const body = bodyOf(["wind"], time);
    while (!signal.aborted) {
      const reply = await fetch(`${url}/user/tasks/PENDING?limit=100`, { headers }).catch(() => undefined);
      const list = reply?.ok ? ((await reply.json()) as { results: unknown[] }).results.length : TASKS;
      for (let pending = list; pending < TASKS && !signal.aborted; pending++) await submit("task", body);
      await delay(1_000, undefined, { signal }).catch(() => undefined);
    }
  }

  async function sendBodies(): Promise<void> {
    const places = bodyOf(["wave"], time);
    const body = Buffer.alloc(BODY_BYTES, " ");
    places.copy(body);
    const sent: Promise<void>[] = [];
    while (!signal.aborted) {
      sent.push(submit("body", body));
      await delay(BODY_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(sent);
  }

  const running = [holdTasks(), sendBodies()];
  return async () => {
    stop.abort();
    await Promise.all(running);
    return counts;
  };
}

/** A grid of places of the North Atlantic. */
function bodyOf(variables: string[], timestamp: string): Buffer {
  const points = Array.from({ length: PLACES }, (_, index) => ({
    latitude: 20 + (index % 400) / 10,
    longitude: -60 + Math.floor(index / 400) / 10,
    timestamp,
  }));
  return Buffer.from(JSON.stringify({ points, variables }));
}
