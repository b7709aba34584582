import { parseArgs } from "node:util";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldFeeds } from "#server/ingest/sources/feeds.ts";
import { type FaultName, objectFaults, responseFaults } from "#test/feeds-mirror/faults.ts";
import { SMOC_FILES } from "./short-feed.ts";
import { singleFault } from "./single-fault.ts";

const allFaults: readonly FaultName[] = [...responseFaults, ...objectFaults];
const allFeeds = [...fieldFeeds.map(({ name }) => name), SMOC_FILES];

const help = `Each fault alone, of every answer of all hosts of one feed for as long as a cycle takes.

npm run feeds:faults -- [options]
  --feeds NAMES     default ${allFeeds.join(",")}
  --faults NAMES    default ${allFaults.join(",")}
  --profile NAME    default lite
It ends with status 1 if a published number is not the one of the planet, the run before is gone, the status says nothing
while data are missing, or the feed does not recover by itself.`;

const { values } = parseArgs({
  options: {
    feeds: { type: "string", default: allFeeds.join(",") },
    faults: { type: "string", default: allFaults.join(",") },
    profile: { type: "string", default: "lite" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
let complaints = 0;
for (const feed of values.feeds.split(",")) {
  for (const fault of values.faults.split(",") as FaultName[]) {
    const outcome = await singleFault(feed, fault, values.profile as Profile);
    const { spoiled, compared, came, state, words = "" } = outcome;
    const row = [
      feed.padEnd(10),
      fault.padEnd(13),
      String(spoiled).padStart(5),
      String(compared).padStart(6),
    ];
    console.log(`${row.join(" ")}  ${came ? "came   " : state.padEnd(7)}  ${words.slice(0, 300)}`);
    for (const complaint of outcome.complaints) console.log(`  COMPLAINT ${complaint}`);
    complaints += outcome.complaints.length;
  }
}
console.log(`${complaints} complaints; ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor time`);
process.exitCode = complaints > 0 ? 1 : 0;
