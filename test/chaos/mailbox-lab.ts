import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { labOptions } from "#test/lab-options.ts";
import { startPostgres } from "#test/postgres.ts";
import { playMailbox } from "./mailbox.ts";

const options = labOptions(
  `Delivers messages of all kinds to a mailbox of Dovecot, while the service that answers them is killed with kill −9. Wrong is
an answer that is missing, has other contents or is larger than asked, two answers under two ids, and any answer to strangers,
programs, lists and the service itself. A copy that was sent again under its Message-ID is counted and is not wrong.`,
  {
    messages: [200, "messages"],
    kills: [20, "kills between and during answers"],
    seed: [1, "seed of the random order"],
  },
);
const server = await startPostgres();
const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-chaos-"));
const databaseUrl = await server.createDatabase("migrated");
const { complaints, answers, repeats } = await playMailbox({ folder, databaseUrl }, options);
await server.stop();
rmSync(folder, { recursive: true, force: true });
for (const complaint of complaints) console.error(complaint);
console.log(
  `${options.messages} messages, ${options.kills} kills: ${answers} answered, ` +
    `${repeats} copies sent again under their Message-ID; ${complaints.length} complaints`,
);
process.exit(complaints.length === 0 ? 0 : 1);
