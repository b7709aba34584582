import { setTimeout as delay } from "node:timers/promises";
import { seeded } from "#test/seeded.ts";
import { MixedLoad } from "../load/mixed-load.ts";
import { inFlightAt, type Kill } from "../load/outages.ts";
import { childrenOf } from "../replicas.ts";
import type { Check } from "./check.ts";

/** Longest pause before a kill. */
const MAX_PAUSE_MS = 2500;
/** Kills between two inspections. */
const ROUND = 10;

/**
 * kill −9 of any replica at random moments under mixed load. No acknowledged task may be lost, none mailed under two
 * Message-IDs, and a request may fail only if it was in flight on the killed replica.
 */
export const kills: Check = {
  async run(cluster, given) {
    const random = seeded(given.seed);
    const load = await MixedLoad.start(cluster, given.seed);
    const done: Kill[] = [];
    const complaints: string[] = [];
    const counts = new Map<string, number>();
    for (let killed = 1; killed <= given.kills; killed++) {
      await delay(MAX_PAUSE_MS * random());
      const replica = cluster.replicas[Math.floor(random() * cluster.replicas.length)]!;
      const { name, pid } = replica.part;
      const children = pid === undefined ? [] : await childrenOf(pid);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      // Half of the kills of the one that fetches feeds are of its child, which it starts again itself.
      if (replica.role === "ingest" && children.length > 0 && random() < 0.5) {
        process.kill(children[0]!, "SIGKILL");
      } else {
        const from = performance.now();
        await replica.part.kill();
        done.push({ name, answers: replica.role === "web", from, to: performance.now() });
        await cluster.start(replica);
      }
      if (killed % ROUND !== 0 && killed !== given.kills) continue;
      complaints.push(...(await load.inspect()));
      cluster.options.say(
        `${killed} kills, ${load.clients.acknowledged.length} tasks, ${load.callers.answered} answers, ` +
          `${load.callers.failures.length} failed, ${complaints.length} complaints`,
      );
    }
    complaints.push(...(await load.stop(inFlightAt(done))));
    // To be compared with the times of failures that are not explained.
    if (complaints.length > 0)
      for (const { name, from, to } of done)
        complaints.push(`${name} was killed ${(from / 1000).toFixed(2)} to ${(to / 1000).toFixed(2)} s`);
    const list = [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
    return { lines: [`${given.kills} kills −9: ${list}`, ...load.summary()], complaints };
  },
};
