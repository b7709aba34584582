import { setTimeout as delay } from "node:timers/promises";

/** Waits for what another process does. @param everyMs How often it is looked at, milliseconds. */
export async function until(isTrue: () => boolean | Promise<boolean>, everyMs = 10): Promise<void> {
  while (!(await isTrue())) await delay(everyMs);
}
