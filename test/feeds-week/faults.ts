import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldFeeds } from "#server/ingest/publishers/registry.ts";
import { type FaultName, objectFaults, responseFaults } from "#test/feeds-mirror/faults.ts";
import { labOptions } from "#test/lab-options.ts";
import { SMOC_FILES } from "./short-feed.ts";
import { singleFault } from "./single-fault.ts";

const allFaults: readonly FaultName[] = [...responseFaults, ...objectFaults];
const allFeeds = [...fieldFeeds.map(({ name }) => name), SMOC_FILES];

const values = labOptions(
  `Each fault alone, of every answer of all hosts of one feed for as long as a cycle takes. Wrong is a published number that is
not the planet's, a run before that is gone, a status that says nothing while data are missing, and a feed that does not
recover by itself.`,
  {
    feeds: [allFeeds.join(","), "their names"],
    faults: [allFaults.join(","), "their names"],
    profile: ["lite", "lite, standard or full"],
  },
);
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
