import { untilNone } from "#test/chaos/until-none.ts";
import type { Cluster } from "../cluster.ts";
import { makeKeys } from "../keys.ts";
import { submitOne } from "../load/one-task.ts";
import { Streams } from "../load/streams.ts";
import type { Check } from "./check.ts";

/** Streams of a key, one less than the service allows, as it counts one that broke a moment longer. */
const OF_KEY = 15;
const MAX_WAIT_S = 180;
const TASKS = 10;
/** Opened at the same time: as many connections wait to be accepted. */
const AT_ONCE = 50;

/**
 * A thousand event streams over two replicas. Each has to bring the end of its task; and when a replica is restarted in
 * order, its streams have to be opened again elsewhere, without one breaking off.
 */
export const streams: Check = {
  async run(cluster, given) {
    const keys = await makeKeys(cluster.database.url, Math.ceil(given.streams / OF_KEY));
    // The tasks wait until all else is done.
    const workers = cluster.replicas.filter(({ role }) => role === "worker");
    for (const { part } of workers) await part.stop();
    const tasks: string[] = [];
    for (let index = 0; index < TASKS; index++) {
      const { id, status } = await submitOne(cluster.url, keys[0]!, cluster.options.now);
      if (id === undefined) throw new Error(`A task was answered ${status}`);
      tasks.push(id);
    }
    const followed = new Streams(cluster.url);
    const begun = performance.now();
    for (let index = 0; index < given.streams; index++) {
      followed.follow(tasks[index % tasks.length]!, keys[index % keys.length]!);
      if (index % AT_ONCE === AT_ONCE - 1)
        await untilNone(async () => index + 1 - opened(followed), MAX_WAIT_S);
    }
    await untilNone(async () => given.streams - opened(followed), MAX_WAIT_S);
    const lines = [
      `${opened(followed)} of ${given.streams} streams open after ${seconds(begun)}: ${counts(followed)}`,
    ];
    const complaints = opened(followed) < given.streams ? ["not all streams could be opened"] : [];

    const first = cluster.replicas.find(({ role }) => role === "web")!;
    const ofFirst = followed.servedBy.get(first.part.name) ?? 0;
    const restarted = performance.now();
    const tookS = await first.part.stop();
    if (tookS === undefined) complaints.push(`${first.part.name} had to be killed`);
    await cluster.start(first);
    await untilNone(async () => Math.max(0, ofFirst - followed.resumed), MAX_WAIT_S);
    lines.push(
      `${first.part.name} was restarted (it ended after ${tookS?.toFixed(1)} s): ${followed.resumed} streams opened again within ` +
        `${seconds(restarted)}, ${followed.broken} broke off: ${counts(followed)}`,
    );

    lines.push(`/healthz with all of them open: median ${(await timeOfAnswers(cluster)).toFixed(0)} ms`);
    const working = performance.now();
    for (const worker of workers) await cluster.start(worker);
    await untilNone(async () => followed.following, MAX_WAIT_S);
    lines.push(
      `${followed.ended} streams brought the end of their task, ${seconds(working)} after the workers began`,
    );
    if (followed.ended < given.streams)
      complaints.push(`${given.streams - followed.ended} streams did not bring the end of their task`);
    for (const { what } of followed.failures) complaints.push(what);
    await followed.stop();
    return { lines, complaints };
  },
};

/** Streams that were opened and go on, or have come to their end. */
const opened = ({ open, ended }: Streams) => open + ended;
const counts = ({ servedBy }: Streams) => [...servedBy].map(([name, count]) => `${name} ${count}`).join(", ");
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Median of some answers, milliseconds. */
async function timeOfAnswers({ url }: Cluster): Promise<number> {
  const took: number[] = [];
  for (let index = 0; index < 21; index++) {
    const since = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    took.push(performance.now() - since);
  }
  return took.sort((a, b) => a - b)[10]!;
}
