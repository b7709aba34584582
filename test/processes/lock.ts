// Takes a lock, reports it, and keeps it until it is killed. lock.test.ts runs it.

import { writeSync } from "node:fs";
import { acquireLock } from "#server/platform/lock.ts";

try {
  await acquireLock(process.argv[2]!, { silenceMs: 15_000 });
  writeSync(1, "locked\n");
  setInterval(() => {}, 1000);
} catch (error) {
  writeSync(1, `${(error as Error).name}\n`);
}
