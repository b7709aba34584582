import { tmpdir } from "node:os";
import path from "node:path";
import { makeMessages } from "./full-size/messages.ts";
import { startStore } from "./full-size/store.ts";

// This process serves GFS and GFS-Wave in their real sizes, for `FEED_MIRROR`. It writes its address when all messages
// are made; they stay in a temporary folder.
const folder = path.join(tmpdir(), "metocean-full-size-3");
await makeMessages(folder, (line) => process.stderr.write(`${line}\n`));
process.stdout.write(`${await startStore(folder)}\n`);
