import { parseArgs } from "node:util";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldFeeds } from "#server/ingest/sources/feeds.ts";
import type { Resolution } from "#test/feeds-mirror/planet.ts";
import { shortFeed } from "./short-feed.ts";
import { simulateWeek } from "./simulate.ts";

const help = `A week of the feeds in simulated time, over the mirror, with faults by chance.

npm run feeds:week -- [options]
  --seed N          of the faults; default 1
  --days N          default 7
  --feeds NAMES     default ${fieldFeeds.map(({ name }) => name).join(",")}
  --profile NAME    default lite
  --hours N         the longest lead that is fetched; default 120
  --grid STEP       0.25, 1 or 2.5 degrees; default 2.5
  --start ISO       default 2026-09-01T04:00Z
It ends with status 1 if a published number is not the one of the planet, a time has no answer, something that should have
gone is there, or a feed has not recovered.`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    days: { type: "string", default: "7" },
    feeds: { type: "string", default: fieldFeeds.map(({ name }) => name).join(",") },
    profile: { type: "string", default: "lite" },
    hours: { type: "string", default: "120" },
    grid: { type: "string", default: "2.5" },
    start: { type: "string", default: "2026-09-01T04:00Z" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const profile = values.profile as Profile;
const hours = Number(values.hours);
const began = performance.now();
const feeds = values.feeds.split(",").map((name) => shortFeed(name, hours));
// The newest whole cycle may be so old, and the one before has to do where it failed; depths have one cycle for ever.
const ages = feeds.map(({ cycles, delay }) => (2 * cycles.every + delay.whole) / 3600);
const oldest = Math.ceil(Math.max(0, ...ages.filter((age) => age < 24 * 30)));
const report = await simulateWeek({
  feeds,
  profile,
  resolution: Number(values.grid) as Resolution,
  start: Date.parse(values.start) / 1000,
  seed: Number(values.seed),
  days: Number(values.days),
  aheadHours: Math.max(1, hours - oldest),
  log: (line) => console.log(line),
});
const seconds = (performance.now() - began) / 1000;
console.log(
  `seed ${values.seed}: ${values.days} days in ${seconds.toFixed(0)} s; ${report.rounds} rounds, ${report.requests} requests, ${report.compared} values compared, ${(report.diskBytes / 1e6).toFixed(1)} MB in the archive`,
);
console.log("fault            answers  rounds    told  for example");
for (const [fault, { answers, rounds, told, words }] of [...report.faults].sort()) {
  const counts = [answers, rounds, told].map((count) => String(count).padStart(7)).join(" ");
  console.log(`${fault.padEnd(16)} ${counts}  ${(words ?? "healed within the round").slice(0, 110)}`);
}
for (const { run, field, latitude, longitude, time, found, truth } of report.wrong.slice(0, 20))
  console.log(`WRONG ${run} ${field} ${latitude} ${longitude} ${time}: ${found} instead of ${truth}`);
for (const gap of report.gaps.slice(0, 20)) console.log(`GAP ${gap}`);
for (const complaint of report.complaints.slice(0, 20)) console.log(`COMPLAINT ${complaint}`);
console.log(
  `${report.wrong.length} wrong values, ${report.gaps.length} gaps, ${report.complaints.length} complaints`,
);
process.exitCode = report.wrong.length + report.gaps.length + report.complaints.length > 0 ? 1 : 0;
