import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { coordinate, type Grid } from "@open-metocean/geo/grid";
import { fields } from "#lib/catalog/fields.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { formatInstant } from "#lib/time.ts";
import { decodeStep } from "#server/ingest/decode-step.ts";
import { createDecoder, type Decoder } from "#server/ingest/decoder.ts";
import { backfillCommand } from "#server/ingest/feeds/backfill/backfill-command.ts";
import { readOwnSource } from "#server/ingest/sources/own-source.ts";
import { realClock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import { type FeedState, feedStates } from "#server/platform/feed-state.ts";
import { describeClockError, readClockReading } from "#server/platform/fetching/clock-error.ts";
import {
  type FeedLoop,
  type FeedsCommandDeps,
  feedFetcher,
  hostRules,
  leadFeeds,
  markRounds,
  openFeedDeps,
  WAKE_CHANNEL,
  waitToLeadFeeds,
  wakeLeader,
} from "./feed-deps.ts";
import { createFeedLoop, createFeedLoops, type LoopDeps, runFeeds } from "./feed-loop.ts";
import { quarantined } from "./feed-progress.ts";
import { fetchPart } from "./fetch-part.ts";
import { type FieldFeed, newestCycle, type Part, profileNames } from "./field-feed.ts";
import { PartFailedError } from "./part-store.ts";
import { keepOf } from "./past-rules.ts";
import { choiceNames, describePlan, type FeedSelection, planFeed, selectFeeds, table } from "./plan-feeds.ts";
import { planParts } from "./publish-segment.ts";

const usage = `Usage: feeds <command>

Commands:
  plan               what the feeds of FEEDS cost: bytes a day, bytes in all, hours
  status             state of each feed
  check [file]       fetch one file of each source of your own, or of one YAML file, and describe its content
  now [name…]        fetch what is available now, then end
  run                fetch until stopped; the server does this itself
  backfill <name>    fill the hindcasts from what a mirror still has; see feeds backfill --help

The setting FEEDS chooses the feeds: lite, standard, full, models-lite, models, all, or names. Feeds of ensembles are added
by their names, which say what is stored: gefs-mean, gefs-statistics or gefs-members.
`;

/**
 * Runs `feeds plan | status | check | now | run | backfill`.
 *
 * @returns Exit code: 0 done, 1 a feed fails, 2 invalid command.
 */
export async function feedsCommand(args: string[], deps: FeedsCommandDeps): Promise<number> {
  const { out, err, selected } = deps;
  if (args[0] === "backfill") return backfillCommand(args.slice(1), deps);
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { help: { type: "boolean", short: "h" } },
  });
  const [command, ...names] = positionals;
  if (values.help || command === undefined) {
    (values.help ? out : err).write(usage);
    return values.help ? 0 : 2;
  }
  switch (command) {
    case "plan":
      out.write(planText(deps));
      return 0;
    case "status":
      return status(deps);
    case "now": {
      const known = [...deps.known.map(({ name }) => name), ...deps.storms];
      const unknown = names.find((name) => !known.includes(name));
      if (unknown !== undefined) {
        err.write(`There is no feed "${unknown}"; there are ${known.join(", ")}\n`);
        return 2;
      }
      const fields =
        names.length > 0 ? deps.known.filter(({ name }) => names.includes(name)) : selected.fields;
      const storms = names.length > 0 ? deps.storms.filter((name) => names.includes(name)) : selected.storms;
      return now({ ...deps, selected: { ...selected, fields, storms } });
    }
    case "check": {
      const built = deps.known.filter(({ isOwn }) => !isOwn).map(({ name }) => name);
      const read = (file: string) => readOwnSource(file, [...built, ...deps.storms]);
      const own = names.length > 0 ? names.map(read) : deps.known.filter(({ isOwn }) => isOwn);
      return checkSources(own, deps);
    }
    case "run":
      return run(deps);
    default:
      err.write(`There is no command "feeds ${command}".\n\n${usage}`);
      return 2;
  }
}

function planText({ env, selected, known, storms }: FeedsCommandDeps): string {
  const planOf = ({ extent, profile, keepsAs, fields }: Omit<FeedSelection, "storms">) => {
    const keep = keepOf(keepsAs, env.feeds.keep);
    return describePlan(
      fields.map((feed) => planFeed(feed, profile, keep)),
      extent,
    );
  };
  if (selected.fields.length > 0) return planOf(selected);
  return [
    `FEEDS=${env.feeds.enabled}: nothing is fetched. Every feed there is, by profile, and the sets of models:`,
    "",
    ...profileNames.map((profile) => planOf({ extent: profile, profile, keepsAs: profile, fields: known })),
    ...choiceNames.map((name) => planOf(selectFeeds(name, known, storms))),
  ].join("\n");
}

async function status(deps: FeedsCommandDeps): Promise<number> {
  const { env, selected, out, clock = realClock } = deps;
  const names = [...selected.fields.map(({ name }) => name), ...selected.storms];
  if (names.length === 0) {
    out.write(`FEEDS=${env.feeds.enabled}: no feed is turned on. ${howToTurnOn}\n`);
    return 0;
  }
  const database = await deps.open();
  const states = new Map(
    (await feedStates(database.prisma, clock).all()).map((state) => [state.name, state]),
  );
  const rows = names.map((name) => statusRow(name, states.get(name)));
  const head = ["feed", "state", "newest run", "steps", "up to", "next expected", "today", "from"];
  out.write(`${table([head, ...rows]).join("\n")}\n`);
  let failing = 0;
  for (const name of names) {
    const state = states.get(name);
    if (!state?.error) continue;
    failing++;
    out.write(`${name}: ${state.error} (${formatInstant(state.errorAt ?? 0)})\n`);
  }
  for (const { feed, part, reason, folder } of await quarantined(env.feeds.folder))
    out.write(`in quarantine: ${feed}, ${part}: ${reason}\n  ${folder}\n`);
  const used = await (await deps.openArchive()).usedBytes();
  const budget = env.feeds.diskBytes === undefined ? "" : ` of ${formatBytes(env.feeds.diskBytes)}`;
  out.write(`archive: ${formatBytes(used)}${budget}\n`);
  const wrong = describeClockError(await readClockReading(env.feeds.folder, realClock.now()));
  if (wrong !== undefined) out.write(`clock: ${wrong}\n`);
  return failing === 0 ? 0 : 1;
}

const howToTurnOn =
  "Turn forecasts on with FEEDS=lite npm start; npm run metocean -- feeds plan says what that fetches";

function statusRow(name: string, state: FeedState | undefined): string[] {
  const time = (seconds: number | null | undefined) =>
    typeof seconds === "number" ? formatInstant(seconds).replace(":00Z", "Z") : "-";
  const steps = state && state.stepsExpected > 0 ? `${state.steps}/${state.stepsExpected}` : "-";
  return [
    name,
    state?.state ?? "not begun",
    time(state?.newestRun),
    steps,
    time(state?.validUntil),
    time(state?.nextExpected),
    formatBytes(state?.bytesToday ?? 0),
    state?.mirror ?? "-",
  ];
}

/** Runs one round. If a loop is already running, it is woken instead. */
async function now(deps: FeedsCommandDeps): Promise<number> {
  const { out, selected, signal } = deps;
  const database = await deps.open();
  const lead = await leadFeeds(database);
  if (!lead) {
    await wakeLeader(database);
    out.write("The server's own loop looks for new data now: feeds status says what it finds.\n");
    return 0;
  }
  const session = await openLoops(deps, database, (loopDeps) => [createFeedLoop(loopDeps)]);
  const [loop] = session.loops;
  try {
    const both = AbortSignal.any([signal, lead.lost]);
    // A fetch may have created more work: an older cycle, a hindcast.
    while ((await loop!.round(both)) <= session.loopClock.now()) both.throwIfAborted();
    await session.storms?.round(both);
  } finally {
    await session.close();
    await lead.close();
  }
  return status({ ...deps, selected });
}

async function run(deps: FeedsCommandDeps): Promise<number> {
  const { out, env, selected, log, signal, clock = realClock } = deps;
  if (selected.fields.length + selected.storms.length === 0) {
    out.write(`FEEDS=${env.feeds.enabled}: no feed is turned on. ${howToTurnOn}\n`);
    return 0;
  }
  if (selected.fields.length > 0) out.write(planText(deps));
  const database = await deps.open();
  const wake = new EventTarget();
  const listener = database.listen(WAKE_CHANNEL, {
    notified: () => wake.dispatchEvent(new Event("wake")),
    connected: () => {},
  });
  const session = await openLoops(deps, database, createFeedLoops);
  try {
    while (!signal.aborted) {
      const lead = await waitToLeadFeeds(database, signal);
      if (!lead) break;
      log.info(
        {
          feeds: [...selected.fields.map(({ name }) => name), ...selected.storms],
          profile: selected.profile,
        },
        "fetching feeds",
      );
      const both = AbortSignal.any([signal, lead.lost]);
      const running = session.loops.map((loop) =>
        runFeeds(loop, { clock: session.loopClock, signal: both, wake }),
      );
      for (const loop of session.storms?.loops ?? [])
        running.push(runFeeds(loop, { clock, signal: both, wake }));
      await Promise.all(running).catch((error: unknown) => {
        if (!both.aborted) throw error;
      });
      await Promise.allSettled(running);
      await lead.close();
    }
  } finally {
    await session.close();
    await listener.close();
  }
  return 0;
}

async function openLoops(deps: FeedsCommandDeps, database: Database, create: (deps: LoopDeps) => FeedLoop[]) {
  const { env, selected, openStorms } = deps;
  const storms = selected.storms.length > 0 ? openStorms(selected.storms, database) : undefined;
  const feedDeps = openFeedDeps(
    deps,
    database,
    await deps.openArchive(),
    selected.fields,
    env.feeds.bytesADay,
  );
  const keep = keepOf(selected.keepsAs, env.feeds.keep);
  const loops = create({ ...feedDeps, feeds: selected.fields, keep });
  return {
    loops: markRounds(database, loops),
    /** The clock of these loops, corrected by the hosts' reported times. */
    loopClock: feedDeps.clock,
    storms,
    async close() {
      await storms?.close();
      await feedDeps.close();
    },
  };
}

/** Number of cycles that are tried until one has a part. */
const CYCLES = 4;

/**
 * Runs `feeds check`: fetches one file of each of the operator's own sources and reports how it would be read. Nothing
 * is published.
 *
 * @returns Exit code: 1 where a source gives nothing or lacks a field.
 */
export async function checkSources(
  feeds: readonly FieldFeed[],
  { env, out, version, signal, clock = realClock }: FeedsCommandDeps,
): Promise<number> {
  if (feeds.length === 0) {
    out.write(`There is no file in ${env.feeds.sources}; docs/own-sources.md has two examples.\n`);
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
      out.write(`${feed.name}: ${feed.title("standard")} (${feed.credit})\n`);
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
        else if (fetched === "absent") out.write("  not published\n");
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

/** The addresses of a part, without the credentials that mirrors require. */
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
