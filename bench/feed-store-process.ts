import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { makeMessages, messagesFolder, type WavePacking } from "./full-size/messages.ts";
import { startStore } from "./full-size/store.ts";

/**
 * A store of GFS and GFS-Wave in their real sizes, for `FEED_MIRROR`. Writes its address when all messages are made, which
 * takes minutes for the first time; they stay in a folder for temporary files.
 */
const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "Infinity" },
    waves: { type: "string", default: "jpeg2000" },
  },
});
const packing = values.waves as WavePacking;
const folder = messagesFolder(tmpdir(), packing);
await makeMessages(folder, packing, (line) => process.stderr.write(`${line}\n`));
const store = await startStore(folder, 1e6 * Number(values.rate));
process.stdout.write(`${store.url}\n`);
