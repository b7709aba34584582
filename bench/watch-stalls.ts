import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a measured server (`--import`): appends each pause of the event loop of its main thread to the file
 * `STALLS_FILE`, as lines of JSON. A pause in which the thread used little processor time is the machine's, not ours.
 */
export interface Stall {
  /** When it ended, Unix milliseconds. */
  at: number;
  /** How long no timer ran, and how much processor time this thread used meanwhile, milliseconds. */
  wall: number;
  cpu: number;
}

/** Shorter pauses are not noted. */
const NOTED_MS = 10;
const EVERY_MS = 2;

const file = process.env.STALLS_FILE;
if (isMainThread && file) {
  let lastAt = performance.now();
  let lastCpu = process.threadCpuUsage();
  setInterval(() => {
    const wall = performance.now() - lastAt;
    const used = process.threadCpuUsage(lastCpu);
    const cpu = (used.user + used.system) / 1000;
    if (wall >= NOTED_MS) {
      const stall: Stall = { at: Date.now(), wall, cpu };
      appendFileSync(file, `${JSON.stringify(stall)}\n`);
    }
    lastAt = performance.now();
    lastCpu = process.threadCpuUsage();
  }, EVERY_MS).unref();
}
