// Opens the database of a data directory as a server does, reports it, and keeps it open until it is killed or told to
// stop. embedded-postgres.test.ts runs it.

import { writeSync } from "node:fs";
import { openDatabase } from "#server/platform/db.ts";

const database = await openDatabase({ dataDir: process.argv[2]! });
process.once("SIGTERM", () => void database.close().then(() => process.exit()));
writeSync(1, "open\n");
setInterval(() => {}, 1000);
