import { setTimeout as delay } from "node:timers/promises";
import { variableNames } from "#lib/catalog/variables.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";

/** Weather clock of these tasks, Unix seconds. */
export const NOW = 1_789_473_600;

type Random = () => number;

/** Nine days on a random course. */
export function passage(count: number, random: Random) {
  const [latitude, longitude] = [-40 + 80 * random(), -170 + 250 * random()];
  return Array.from({ length: count }, (_, index) => ({
    latitude: rounded(latitude + (15 * index) / count),
    longitude: rounded(longitude + (80 * index) / count),
    timestamp: formatInstant(NOW + Math.floor((index / count) * 9 * DAY_S)),
  }));
}

export function scattered(count: number, random: Random) {
  return Array.from({ length: count }, () => ({
    latitude: rounded(-80 + 160 * random()),
    longitude: rounded(-180 + 360 * random()),
    timestamp: formatInstant(NOW + Math.floor((random() * 10 - 1) * DAY_S)),
  }));
}

function rounded(degrees: number): number {
  return Math.round(1e5 * degrees) / 1e5;
}

let small = 0;

/** Submits a task of 100 new places × 12 variables, alternately a passage and random places. @returns Its id. */
export function submitSmallTask(url: string, key: string, random: Random): Promise<string> {
  const points = small++ % 2 === 0 ? passage(100, random) : scattered(100, random);
  return submit(url, "/MetOcean/async", key, { points, variables: variableNames });
}

/** @returns The id of the task. */
export async function submit(url: string, route: string, key: string, body: object): Promise<string> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const reply = await fetch(url + route, { method: "POST", headers, body: JSON.stringify(body) });
  if (reply.status !== 202) throw new Error(`The task was answered ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { task_id: string }).task_id;
}

/** @returns Milliseconds until a task of a key has ended. */
export async function endOf(
  url: string,
  key: string,
  id: string,
  since = performance.now(),
): Promise<number> {
  for (;;) {
    const reply = await fetch(`${url}/task/${id}`, { headers: { "x-api-key": key } });
    const { status, error } = (await reply.json()) as { status: string; error?: string };
    if (status === "SUCCESS") return performance.now() - since;
    if (status !== "PENDING") throw new Error(`A task ended as ${status}: ${error}`);
    await delay(20);
  }
}
