import { setTimeout as delay } from "node:timers/promises";
import { MixedLoad } from "../load/mixed-load.ts";
import { inFlightAt, type Kill } from "../load/outages.ts";
import type { Check } from "./check.ts";

const SHIFT_S = 60;

/**
 * The clocks of the replicas are wrong by a minute, forwards and backwards, two minutes apart. Nothing may be answered
 * otherwise; nothing that was accepted may be lost, repeated, or wait; also when a worker is killed whose tasks the other
 * then takes over.
 */
export const skew: Check = {
  prepare: async () => ({
    clockShifts: {
      web1: SHIFT_S,
      web2: -SHIFT_S,
      worker1: -SHIFT_S,
      worker2: SHIFT_S,
      ingest1: SHIFT_S,
    },
  }),
  async run(cluster, given) {
    const load = await MixedLoad.start(cluster, given.seed);
    const complaints: string[] = [];
    const done: Kill[] = [];
    const workers = cluster.replicas.filter(({ role }) => role === "worker");
    const part = (given.seconds * 1000) / (workers.length + 1);
    for (const worker of workers) {
      await delay(part);
      const { name } = worker.part;
      const from = performance.now();
      await worker.part.kill();
      done.push({ name, answers: false, from, to: performance.now() });
      await cluster.start(worker);
      complaints.push(...(await load.inspect()));
    }
    await delay(part);
    complaints.push(...(await load.stop(inFlightAt(done))));
    const shifts = Object.entries(cluster.options.clockShifts ?? {}).map(
      ([name, shift]) => `${name} ${shift > 0 ? "+" : ""}${shift} s`,
    );
    return { lines: [`clocks: ${shifts.join(", ")}`, ...load.summary()], complaints };
  },
};
