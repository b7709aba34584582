import { setTimeout as delay } from "node:timers/promises";
import { MixedLoad } from "../load/mixed-load.ts";
import type { Check } from "./check.ts";

/** Load before, between and after. */
const PAUSE_MS = 2000;

/** Every replica is restarted, one after the other: SIGTERM, and the next when the new one works. No request may fail. */
export const rolling: Check = {
  async run(cluster, given) {
    const load = await MixedLoad.start(cluster, given.seed);
    const complaints: string[] = [];
    const stops: string[] = [];
    for (let round = 0; round < given.rounds; round++) {
      for (const replica of cluster.replicas) {
        await delay(PAUSE_MS);
        const seconds = await replica.part.stop();
        const { name } = replica.part;
        if (seconds === undefined) complaints.push(`${name} had to be killed: it did not end by itself`);
        stops.push(`${name} ${seconds?.toFixed(1) ?? "-"} s`);
        await cluster.start(replica);
        cluster.options.say(`${name} was restarted; ${load.callers.failures.length} requests failed so far`);
      }
    }
    await delay(PAUSE_MS);
    complaints.push(...(await load.stop(() => false)));
    return { lines: [`from SIGTERM to the end: ${stops.join(", ")}`, ...load.summary()], complaints };
  },
};
