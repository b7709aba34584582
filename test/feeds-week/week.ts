import { formatBytes } from "#lib/format-bytes.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { fieldFeeds } from "#server/ingest/publishers/registry.ts";
import type { Resolution } from "#test/feeds-mirror/planet.ts";
import { labOptions } from "#test/lab-options.ts";
import { leadFor, oldestWhole, shortFeed } from "./short-feed.ts";
import { simulateWeek } from "./simulate.ts";
import { simulateStorms } from "./storm-week.ts";

const HOUR_S = 3600;
const STORMS = "storms";
const all = [...fieldFeeds.map(({ name }) => name), STORMS].join(",");

const values = labOptions(
  `A week of the feeds in simulated time, over the mirror, with faults by chance; TMPDIR=/dev/shm saves half of the time. Wrong is
a published number that is not the planet's, a time without an answer, a status that says nothing of a fault or something of
none, a budget that is exceeded, something that should have gone, and a feed that has not recovered.`,
  {
    seed: [1, "of the faults"],
    days: [7, "simulated"],
    feeds: [all, "their names"],
    profile: ["lite", "lite, standard or full"],
    ahead: [24, "hours that are always answered; leads of a feed are as long as that needs"],
    hours: [0, "the longest lead of every feed instead"],
    grid: [2.5, "0.25, 1 or 2.5 degrees"],
    start: ["2026-09-01T04:00Z", "of the week"],
    disk: [0, "FEED_DISK_MB; 0: unlimited"],
    bytes: [0, "FEED_BYTES_A_DAY in MB; 0: unlimited"],
  },
);
const profile = values.profile as Profile;
const { seed, days } = values;
const start = Date.parse(values.start) / 1000;
const names = (values.feeds === "all" ? all : values.feeds).split(",");
const title = `seed ${seed}, ${profile}: ${days} days`;
let bad = 0;
if (names.some((name) => name !== STORMS)) await fieldWeek(names.filter((name) => name !== STORMS));
if (names.includes(STORMS)) await stormWeek();
process.exitCode = bad > 0 ? 1 : 0;

async function fieldWeek(of: readonly string[]): Promise<void> {
  const leads = of.map((name) => values.hours || leadFor(name, values.ahead));
  const feeds = of.map((name, i) => shortFeed(name, leads[i]!));
  const ahead = feeds.map((feed, i) => leads[i]! - oldestWhole(feed) / HOUR_S);
  const [diskBytes, bytesADay] = [values.disk * 1e6, values.bytes * 1e6];
  const report = await simulateWeek({
    feeds,
    profile,
    resolution: values.grid as Resolution,
    start,
    seed,
    days,
    aheadHours: Math.max(1, Math.floor(Math.min(...ahead))),
    ...(diskBytes && { diskBytes }),
    ...(bytesADay && { bytesADay }),
    log: (line) => console.log(line),
  });
  const { rounds, requests, runs, compared } = report;
  console.log(
    `${title}, ${rounds} rounds, ${requests} requests, ${runs} runs, ${compared} values compared, ${report.spoiled} answers spoiled, at most ${formatBytes(report.diskBytes)} in the archive and ${formatBytes(report.dayBytes)} a day`,
  );
  for (const { run, field, latitude, longitude, time, found, truth } of report.wrong.slice(0, 20))
    console.log(`WRONG ${run} ${field} ${latitude} ${longitude} ${time}: ${found} instead of ${truth}`);
  for (const gap of report.gaps.slice(0, 20)) console.log(`GAP ${gap}`);
  conclude(report.wrong.length, report.gaps.length, report.complaints);
}

async function stormWeek(): Promise<void> {
  const { requests, compared, wrong, complaints } = await simulateStorms({ seed, start, days });
  console.log(`${title} of storms, ${requests} requests, ${compared} positions compared`);
  for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`);
  conclude(wrong.length, 0, complaints);
}

function conclude(wrong: number, gaps: number, complaints: readonly string[]): void {
  for (const complaint of complaints.slice(0, 40)) console.log(`COMPLAINT ${complaint}`);
  const { user, system } = process.cpuUsage();
  console.log(
    `${wrong} wrong values, ${gaps} gaps, ${complaints.length} complaints; ${((user + system) / 1e6).toFixed(0)} s of processor time so far`,
  );
  bad += wrong + gaps + complaints.length;
}
