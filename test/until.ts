import { setTimeout as delay } from "node:timers/promises";

/** Waits until a condition in another process is true. @param everyMs Interval between checks, milliseconds. */
export async function until(isTrue: () => boolean | Promise<boolean>, everyMs = 10): Promise<void> {
  while (!(await isTrue())) await delay(everyMs);
}
