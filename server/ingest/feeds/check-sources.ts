import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fields } from "#lib/catalog/fields.ts";
import { coordinate, type Grid } from "#lib/field/grid.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { formatInstant } from "#lib/time.ts";
import { decodeStep } from "#server/ingest/decode-step.ts";
import { createDecoder, type Decoder } from "#server/ingest/decoder.ts";
import { realClock } from "#server/platform/clock.ts";
import { feedFetcher, hostRules } from "./feed-fetcher.ts";
import type { FeedsCommandDeps } from "./feeds-command-deps.ts";
import { fetchPart } from "./fetch-part.ts";
import type { FieldFeed, Part } from "./field-feed.ts";
import { PartFailedError } from "./part-errors.ts";
import { planParts } from "./publish-segment.ts";
import { newestCycle } from "./schedule.ts";

/** Cycles that are asked for until one has a part. */
const CYCLES = 4;

/**
 * `feeds check`: fetches one file of each source of the operator's own and says what would be made of it. Nothing is
 * published.
 *
 * @returns Exit code: 1 where a source gives nothing, or lacks a field.
 */
export async function checkSources(
  feeds: readonly FieldFeed[],
  { env, out, version, signal, clock = realClock }: FeedsCommandDeps,
): Promise<number> {
  if (feeds.length === 0) {
    out.write(`There is no file in ${env.feeds.sources}; docs/own-sources.md has two to begin with.\n`);
    return 0;
  }
  const { mirror, contact, bytesADay } = env.feeds;
  const spend = () => 0;
  const fetcher = feedFetcher(hostRules(feeds), { mirror, contact, bytesADay, version, spend, attempts: 2 });
  const folder = await mkdtemp(path.join(tmpdir(), "feeds-check-"));
  const decoder = createDecoder();
  let failed = 0;
  try {
    for (const feed of feeds) {
      out.write(`${feed.name}: ${feed.title} (${feed.credit})\n`);
      const newest = newestCycle(feed, clock.now());
      for (let back = 0; ; back++) {
        const cycle = newest - back * feed.cycles.every;
        const parts = feed.parts(cycle, "standard");
        const part = parts[Math.min(1, parts.length - 1)]!;
        out.write(addressesOf(feed, part));
        const options = { fetcher, clock, signal, folder: path.join(folder, `${feed.name}-${back}`) };
        const fetched = await fetchPart(feed, part, "standard", options).catch((error: unknown) => {
          if (error instanceof PartFailedError) return error;
          throw error;
        });
        if (fetched instanceof PartFailedError) out.write(`  not fetched: ${fetched.message}\n`);
        else if (fetched === "absent") out.write("  not there\n");
        else {
          out.write(`  ${formatBytes(fetched.bytesFetched)} from ${fetched.mirror}\n`);
          if (!(await describePart(feed, part, fetched.file, { decoder, out, signal }))) failed++;
          break;
        }
        if (back + 1 < CYCLES) continue;
        failed++;
        break;
      }
    }
  } finally {
    fetcher.close();
    await decoder.close();
    await rm(folder, { recursive: true, force: true });
  }
  return failed === 0 ? 0 : 1;
}

/** Without what mirrors need to be let in. */
function addressesOf(feed: FieldFeed, part: Part): string {
  const at = `${formatInstant(part.cycle)}, +${(part.times[0]! - part.cycle) / 3600} h`;
  const [mirror] = feed.mirrors;
  const objects = feed.objects(part, "standard", mirror!);
  const names =
    objects?.kind === "all" ? objects.objects : objects?.kind === "messages" ? [objects.object] : [];
  return [`  ${at}:`, ...names.map((name) => `    ${mirror!.base}/${name}`), ""].join("\n");
}

async function describePart(
  feed: FieldFeed,
  part: Part,
  file: string,
  { decoder, out, signal }: { decoder: Decoder; out: FeedsCommandDeps["out"]; signal: AbortSignal },
): Promise<boolean> {
  const request = { feed, cycle: part.cycle, files: [{ part, file }], times: part.times };
  try {
    const { plan } = await planParts(decoder, request, signal);
    out.write(`  grid: ${gridText(plan.grid)}\n`);
    for (const { name, steps } of plan.fields) {
      const values = await decodeStep(decoder, name, steps[0]!, signal);
      out.write(`  ${name}: ${rangeText(values)} ${fields[name].unit}\n`);
    }
    const found = new Set<string>(plan.fields.map(({ name }) => name));
    const lacking = feed.source.rules.map(({ field }) => field).filter((field) => !found.has(field));
    if (lacking.length > 0) out.write(`  not found in it: ${lacking.join(", ")}\n`);
    return lacking.length === 0;
  } catch (error) {
    signal.throwIfAborted();
    out.write(`  not usable: ${(error as Error).message}\n`);
    return false;
  }
}

function gridText({ latitude, longitude }: Grid): string {
  const span = (axis: Grid["latitude"]) =>
    `${axis.start} to ${Number(coordinate(axis, axis.count - 1).toFixed(4))}`;
  return `latitudes ${span(latitude)}, longitudes ${span(longitude)}, steps ${latitude.step}° and ${longitude.step}°`;
}

function rangeText(values: Float32Array): string {
  let [least, most, missing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    if (Number.isNaN(value)) missing++;
    else [least, most] = [Math.min(least, value), Math.max(most, value)];
  }
  const share = ((100 * missing) / values.length).toFixed(0);
  return `${Number(least.toPrecision(4))} to ${Number(most.toPrecision(4))} (${share} % missing)`;
}
