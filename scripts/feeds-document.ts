/**
 * Writes docs/feeds.md: the publishers of fields and their order, from the folders of server/ingest/publishers.
 *
 * Run with Node: node scripts/feeds-document.ts
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { type Publisher, resolutionOf } from "#server/ingest/publishers/publisher.ts";
import { publisherOrder, publishers } from "#server/ingest/publishers/registry.ts";

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

One object of each, of 2026-09-01 00 UTC. A file in \`sources/built-in\` replaces them ([own sources](own-sources.md#built-in-feeds-that-have-moved)).

| name | hosts | object |
|---|---|---|
${fetched.map(({ name, feed }) => row([`\`${name}\``, [...new Set(feed.mirrors.map(({ base }) => new URL(base).host))].join(", "), `\`${objectOf(feed)}\``])).join("\n")}

## Credits

${publishers.map(({ source, credit }: Publisher) => `- ${source.name}: ${credit}`).join("\n")}
`;
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
  const objects = feed.objects(parts[1] ?? parts[0]!, "standard", feed.mirrors[0]!);
  if (objects?.kind === "messages") return objects.object;
  return objects?.kind === "zarr" ? objects.store : (objects?.objects[0] ?? "");
}

if (import.meta.main) writeFileSync(DOCUMENT, feedsDocument());
