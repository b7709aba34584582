// Takes the lock of a directory, says so, and keeps it until it is killed. Run by directory-lock.test.ts.

import { writeSync } from "node:fs";
import { lockDirectory } from "#server/platform/directory-lock.ts";

try {
  lockDirectory(process.argv[2]!, { role: "server", command: "lock-process" });
  writeSync(1, "held\n");
  setInterval(() => {}, 1000);
} catch (error) {
  writeSync(1, `${(error as Error).name}\n`);
}
