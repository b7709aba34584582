/**
 * Writes docs/feeds.md: the publishers of fields and their order, from the folders of server/ingest/publishers.
 *
 * Run with Node: node scripts/feeds-document.ts
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { type FieldFeed, profileNames } from "#server/ingest/feeds/field-feed.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { choiceNames, planFeed, selectFeeds } from "#server/ingest/feeds/plan-feeds.ts";
import { type Publisher, resolutionOf } from "#server/ingest/publishers/publisher.ts";
import {
  ensembleFeeds,
  ensembles,
  fieldFeeds,
  publisherOrder,
  publishers,
} from "#server/ingest/publishers/registry.ts";

const DOCUMENT = path.join(import.meta.dirname, "../docs/feeds.md");

/** Base time of the examples, Unix seconds. */
const EXAMPLE = Date.UTC(2026, 8, 1) / 1000;

/** The text of docs/feeds.md. */
export function feedsDocument(): string {
  const fetched = publishers.flatMap(({ feed, ...about }) => (feed ? [{ ...about, feed }] : []));
  return `<!-- Written by scripts/feeds-document.ts from server/ingest/publishers. -->

# Publishers of fields

Names stand in \`FEEDS\`, in the settings \`SOURCES_…\`, in answers (\`source\`) and in \`npm run metocean -- ingest <name>\`. \`npm run metocean -- feeds plan\` says what each costs.

| name | what, with the profile \`standard\` | cycles a day | whole after | smallest profile | mirrors have it since | licence |
|---|---|---|---|---|---|---|
${fetched.map((one) => row([`\`${one.name}\``, one.feed.title("standard"), cyclesOf(one.feed), wholeAfter(one.feed), one.feed.inProfile ?? "none: chosen by its name", sinceOf(one.feed), one.licence])).join("\n")}

${publishers
  .filter(({ feed }) => !feed)
  .map(({ name, source, licence }) => `\`${name}\` is only ingested by hand: ${source.title}; ${licence}.`)
  .join("\n")}

## Models side by side

With \`models\` in a request each model answers alone; the set of feeds is chosen by \`FEEDS\`.

| set | feeds |
|---|---|
${choiceNames.map((name) => row([`\`${name}\``, namesOf(selectFeeds(name, fieldFeeds, []).fields)])).join("\n")}

| model | feeds | lacks |
|---|---|---|
${models.map(({ name, feeds }) => row([`\`${name}\``, namesOf(feeds), lackingOf(feeds)])).join("\n")}

Not read here, and why:

- ICON and ICON-EU of the DWD: their regular grids end on 2026-11-30, and the grids of triangles that follow have no reader here. What becomes of GWAM and EWAM afterwards is not known; \`feeds status\` says it where they stop.
- MOGREPS-G: its members are NetCDF files of 20 km, 6.5 h late. Waves of AIFS ENS: the address of their members was not found.
- CAPE and waves of the Met Office and of Météo-France: the packages that are read lack them. AIFS has no gusts, and no files of this form before 2026-05-12.

## Ensembles

An ensemble answers only requests that name it. \`FEEDS\` adds a feed by its name, to any other choice and with any profile; the plan that the name ends with says what is stored:

- \`mean\`: the mean and the spread of all members as they are published, which takes the least to fetch and to store. For wind these are of its components: the speed of the mean wind, which the mean speed is at least, and the spread along it.
- \`statistics\`: all members are fetched and pass through memory one step at a time; mean, spread, percentiles and shares over limits are stored: at 0.25° of 31 members, and at 0.5° of 51, because 51 of 0.25° take four times the disk, and 0.7 GB of memory ([measurements](./benchmarks.md)).
- \`members\`: the members are stored as well, at 0.5°: exact shares over any limit, and passages through members, need them.

${row(["feed", "what", "members", "steps of `lite`, `standard`, `full`", "a cycle of `standard`", "on disk", "licence"])}
${row(Array(7).fill("---"))}
${ensembles.flatMap(({ feeds, size, licence }) => feeds.map((feed) => ensembleRow(feed, size, licence))).join("\n")}

The control of ECMWF's ENS is the deterministic forecast, member 0. A step without some of its members is waited for until 45 min after it is expected. Then it is taken without them, if half of the members are there, and the run says which it has; those that come before the cycle is whole are added. While a member is awaited that no host has undamaged, the status of the feed says so. On the disk are two cycles and the growing one, and its files as they were fetched until it is whole, which the archive and \`FEED_DISK_MB\` do not count: a cycle for which the disk has no room beside \`MIN_FREE_MB\` is not begun.

## Resolutions

| name | \`lite\` | \`standard\` | \`full\` |
|---|---|---|---|
${fetched.map(({ name, feed }) => row([`\`${name}\``, ...(["lite", "standard", "full"] as const).map((profile) => resolutionOf(feed.grid![profile]))])).join("\n")}

## Which one answers

The first whose run covers time and place, unless a setting names another order. Sources of one's own come before all.

| variable | setting | publishers, best first |
|---|---|---|
${variableNames.map((name) => row([variable(name).title, variable(name).static ? "" : `\`SOURCES_${name.toUpperCase()}\``, publisherOrder[name].map((one) => `\`${one}\``).join(", ")])).join("\n")}

## Addresses

One object of each, of 2026-09-01 00 UTC; where two versions of a model have names of their own, whichever are there are taken, for all of a cycle. A file in \`sources/built-in\` replaces them ([own sources](own-sources.md#built-in-feeds-that-have-moved)).

| name | hosts | object |
|---|---|---|
${[...fetched, ...ensembleFeeds.map((feed) => ({ name: feed.name, feed }))].map(({ name, feed }) => row([`\`${name}\``, [...new Set(feed.mirrors.map(({ base }) => new URL(base).host))].join(", "), objectOf(feed)])).join("\n")}

## Credits

${[...publishers, ...ensembles].map(({ source, credit }) => `- ${source.name}: ${credit}`).join("\n")}
`;
}

/** Variables of weather and waves, which models may have or lack. */
const forecast = variableNames.filter((name) => !["current", "bathy", "sst"].includes(name));

const has = (feeds: readonly Publisher[], name: VariableName) =>
  feeds.some(({ variables }) => variables.includes(name));

/** Models of wind or waves that are fetched, each with its feeds. */
const models = [...Map.groupBy(publishers, ({ name, system }) => system ?? name)]
  .map(([name, all]) => ({ name, feeds: all.filter(({ feed }) => feed) }))
  .filter(({ feeds }) => has(feeds, "wind") || has(feeds, "wave"));

const namesOf = (feeds: readonly { name: string }[]) => feeds.map(({ name }) => `\`${name}\``).join(", ");

/** The variables that no feed of a model has, in words. */
function lackingOf(feeds: readonly Publisher[]): string {
  const lacking = forecast.filter((name) => !has(feeds, name)).map((name) => variable(name).title);
  return lacking.join("; ") || "nothing";
}

function ensembleRow(feed: FieldFeed, size: number, licence: string): string {
  const steps = profileNames.map((profile) => feed.parts(EXAMPLE, profile).length).join(", ");
  const { bytesACycle, bytesInAll } = planFeed(feed, "standard", keepOf("standard", {}));
  const [title] = feed.title("standard").split(/, (?=mean and spread|statistics of|\d+ members)/);
  const bytes = [formatBytes(bytesACycle), formatBytes(bytesInAll)];
  return row([`\`${feed.name}\``, title!, String(size), steps, ...bytes, licence]);
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function cyclesOf({ cycles, source }: FieldFeed): string {
  return source.dataset === "Static" ? "once" : String(DAY_S / cycles.every);
}

function wholeAfter({ delay }: FieldFeed): string {
  return delay.whole === 0 ? "" : `${Number((delay.whole / HOUR_S).toFixed(1))} h`;
}

function sinceOf({ mirrors }: FieldFeed): string {
  const since = mirrors.flatMap((mirror) => mirror.since ?? []);
  return since.length > 0 ? new Date(Math.min(...since) * 1000).toISOString().slice(0, 10) : "";
}

function objectOf(feed: FieldFeed): string {
  const cycle = feed.source.dataset === "Static" ? 0 : EXAMPLE + feed.cycles.offset;
  const parts = feed.parts(cycle, "standard");
  const place = [parts[1] ?? parts[0]!, "standard", feed.mirrors[0]!] as const;
  const names = [feed.objects(...place)!, ...(feed.otherNames?.(...place) ?? [])].map((objects) => {
    if (objects.kind === "messages") return objects.object;
    // The second object of an ensemble is not its control.
    if (objects.kind === "members") return objects.objects[1]!.object;
    return objects.kind === "zarr" ? objects.store : objects.objects[0]!;
  });
  return names.map((name) => `\`${name}\``).join(" or ");
}

if (import.meta.main) writeFileSync(DOCUMENT, feedsDocument());
