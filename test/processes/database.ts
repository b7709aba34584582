// Opens the embedded database as a server does, says so, and keeps it until it is killed. Run by embedded.test.ts.

import { writeSync } from "node:fs";
import { openDatabase } from "#server/platform/db.ts";

await openDatabase({ dataDir: process.argv[2]! });
writeSync(1, "held\n");
setInterval(() => {}, 1000);
