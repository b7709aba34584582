import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { OTHER_KEY } from "./measured-server.ts";

// This is the process of `startGreedyOwner`. Its arguments are the address of the server and the instant of all places.
// It ends with its standard input, and then reports how often the service gave each answer.

const TASKS = 20;
const PLACES = 200_000;
const BODY_BYTES = 32 * 2 ** 20;
const BODY_EVERY_MS = 6_000;

const [url = "", time = ""] = process.argv.slice(2);
const stop = new AbortController();
const { signal } = stop;
const counts = new Map<string, number>();
const headers = { "x-api-key": OTHER_KEY, "content-type": "application/json" };

// In production this client is another machine, so its computations must not slow down the server.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.stdin.resume().on("end", () => stop.abort());
await Promise.all([holdTasks(), sendBodies()]);
console.log(JSON.stringify([...counts]));
process.exit(0);

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
  const body = bodyOf(["wind"]);
  while (!signal.aborted) {
    const reply = await fetch(`${url}/user/tasks/PENDING?limit=100`, { headers }).catch(() => undefined);
    const list = reply?.ok ? ((await reply.json()) as { results: unknown[] }).results.length : TASKS;
    for (let pending = list; pending < TASKS && !signal.aborted; pending++) await submit("task", body);
    await delay(1_000, undefined, { signal }).catch(() => undefined);
  }
}

async function sendBodies(): Promise<void> {
  const places = bodyOf(["wave"]);
  const body = Buffer.alloc(BODY_BYTES, " ");
  places.copy(body);
  const sent: Promise<void>[] = [];
  while (!signal.aborted) {
    sent.push(submit("body", body));
    await delay(BODY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(sent);
}

/** Body of a request for a grid of places in the North Atlantic. */
function bodyOf(variables: string[]): Buffer {
  const points = Array.from({ length: PLACES }, (_, index) => ({
    latitude: 20 + (index % 400) / 10,
    longitude: -60 + Math.floor(index / 400) / 10,
    timestamp: time,
  }));
  return Buffer.from(JSON.stringify({ points, variables }));
}
