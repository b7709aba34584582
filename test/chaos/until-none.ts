import { setTimeout as delay } from "node:timers/promises";

/** @returns Seconds until the count is 0, at most `maxSeconds`. */
export async function untilNone(count: () => Promise<number>, maxSeconds: number): Promise<number> {
  const start = performance.now();
  for (;;) {
    const seconds = (performance.now() - start) / 1000;
    if (seconds > maxSeconds || (await count()) === 0) return seconds;
    await delay(100);
  }
}
