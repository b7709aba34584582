import { parseArgs } from "node:util";
import { formatInstant } from "#lib/time.ts";
import { stormFeedNames } from "#server/context/feeds.ts";
import { feedFetcher, leadFeeds, observedClock, wakeLeader } from "#server/ingest/feeds/feed-deps.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { feedStates } from "#server/platform/feed-state.ts";
import type { Logger } from "#server/platform/log.ts";
import { stormFeeds, stormHosts } from "#server/storms/live/feeds.ts";
import { createStormLoops, roundOfAll, type StormLoop } from "#server/storms/live/storm-loop.ts";
import { StormStore } from "#server/storms/store.ts";
import { stormThread } from "#server/storms/storm-thread.ts";

export interface StormFeedsDeps {
  env: Pick<Env, "feeds">;
  version: string;
  log?: Logger | undefined;
  clock: Clock;
}

/**
 * Opens the loops of the named storm feeds, over the real hosts or FEED_MIRROR. The result also runs one round of all
 * of them.
 */
export function openStormFeeds(
  names: readonly string[],
  database: Database,
  { env, version, log, clock }: StormFeedsDeps,
): StormLoop & { loops: StormLoop[]; close(): Promise<void> } {
  const feeds = stormFeeds.filter(({ name }) => names.includes(name));
  const states = feedStates(database.prisma, clock);
  const { mirror, contact, folder } = env.feeds;
  const fetcher = feedFetcher(stormHosts, {
    mirror,
    contact,
    version,
    // Bytes are counted but never refused, because warnings are small and must not wait for the next day.
    bytesADay: Number.POSITIVE_INFINITY,
    spend: states.spend,
    // Another address or the next poll is of more use than retrying this one.
    attempts: 2,
    // Texts are small. A host that sends one very slowly would delay the other hosts of its feed.
    limits: { wholeMs: 60_000 },
    clockError: observedClock(folder, log),
    log,
  });
  const thread = stormThread();
  const loops = createStormLoops({
    feeds,
    fetcher,
    folder: `${folder}/storms`,
    store: new StormStore(database.prisma),
    derive: thread.derive,
    states,
    clock,
    log,
  });
  return {
    loops,
    round: (signal) => roundOfAll(loops, signal),
    async close() {
      fetcher.close();
      await thread.close();
    },
  };
}

const usage = `Usage: npm run metocean -- storms fetch [jtwc] [nhc] [jma]

Fetches the storm texts of these feeds that are due, by default of all feeds, and publishes the storms. With FEEDS the server
does this itself. The texts are in the folder feeds/storms of the data directory.
`;

export interface FetchStormsDeps extends StormFeedsDeps {
  open(): Promise<Database>;
  out: { write(text: string): unknown };
  err: { write(text: string): unknown };
  signal: AbortSignal;
}

/**
 * `storms fetch` runs one round. If a loop is already running, it is woken instead.
 *
 * @returns Exit status: 0 done, 1 a feed does not work, 2 invalid command, 130 stopped.
 */
export async function fetchStorms(args: string[], deps: FetchStormsDeps): Promise<number> {
  const { out, err, clock, signal } = deps;
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { help: { type: "boolean", short: "h" } },
  });
  const unknown = positionals.find((name) => !stormFeedNames.includes(name));
  const option = Object.keys(values).find((name) => name !== "help");
  if (values.help) {
    out.write(usage);
    return 0;
  }
  if (unknown !== undefined || option !== undefined) {
    const what = unknown === undefined ? `option --${option}` : `feed of storms "${unknown}"`;
    err.write(`There is no ${what}.\n\n${usage}`);
    return 2;
  }
  const names = positionals.length > 0 ? positionals : stormFeedNames;
  const database = await deps.open();
  const lead = await leadFeeds(database);
  if (!lead) {
    await wakeLeader(database);
    out.write("The server's own loop looks for new texts now; see npm run metocean -- feeds status.\n");
    return 0;
  }
  const storms = openStormFeeds(names, database, deps);
  try {
    await storms.round(AbortSignal.any([signal, lead.lost]));
  } catch (error) {
    if (!signal.aborted) throw error;
    err.write("Stopped; texts that have arrived are stored.\n");
    return 130;
  } finally {
    await storms.close();
    await lead.close();
  }
  let failing = 0;
  for (const state of await feedStates(database.prisma, clock).all()) {
    if (!names.includes(state.name)) continue;
    const newest = state.newestRun === null ? "no text" : `newest text of ${formatInstant(state.newestRun)}`;
    const from = state.mirror === null ? "" : ` from ${state.mirror}`;
    out.write(`${state.name}: ${state.steps} of ${state.stepsExpected} texts, ${newest}${from}\n`);
    if (state.error === null) continue;
    failing++;
    err.write(`${state.name}: ${state.error}\n`);
  }
  return failing > 0 ? 1 : 0;
}
