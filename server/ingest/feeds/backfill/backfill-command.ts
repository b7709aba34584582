import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S, parseInstant, startOfDay } from "#lib/time.ts";
import {
  type FeedsCommandDeps,
  isRoundRunning,
  leadBackfill,
  openFeedDeps,
} from "#server/ingest/feeds/feed-deps.ts";
import { NoRoomError } from "#server/ingest/feeds/feed-runner.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { archivedPerFetched, planFeed } from "#server/ingest/feeds/plan-feeds.ts";
import { realClock, realSleep } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import { backfill } from "./backfill.ts";
import { type BackfillPlan, describeBackfill, planBackfill } from "./units.ts";

const usage = `Usage: feeds backfill <feed> --from YYYY-MM-DD [--to YYYY-MM-DD] [--yes]

Fetches the shortest lead times of past cycles that a mirror still has, and builds the runs that the feed would have left: days
of Hindcast-3M and of the forecast archive, and periods of Hindcast-3Y, as far back as KEEP_… keeps them. Runs that exist
are not fetched again. The command first states the cost, and asks for confirmation.

  --from   first day, UTC
  --to     last day; default today
  --yes    start without asking
`;

/** Interval between checks whether the server still fetches, seconds. */
const TURN_S = 5;

/**
 * Runs `feeds backfill …`.
 *
 * @returns Exit code: 0 done, 1 something is left that may succeed later, 2 invalid command, 130 stopped.
 */
export async function backfillCommand(args: string[], deps: FeedsCommandDeps): Promise<number> {
  const { env, selected, known, out, err, signal, clock = realClock } = deps;
  const asked = readArguments(
    args,
    known.map(({ name }) => name),
    clock.now(),
  );
  if ("wrong" in asked) {
    (asked.wrong === undefined ? out : err).write(
      asked.wrong === undefined ? usage : `${asked.wrong}\n\n${usage}`,
    );
    return asked.wrong === undefined ? 0 : 2;
  }
  const feed = known.find(({ name }) => name === asked.feed)!;
  if (feed.source.dataset === "Static") {
    err.write(`${feed.name} does not change with time: feeds now ${feed.name} fetches it.\n`);
    return 2;
  }
  const { profile, keepsAs, fields } = selected;
  const keep = keepOf(keepsAs, env.feeds.keep);
  const archive = await deps.openArchive();
  const { runs } = await archive.manifest();
  const plan = planBackfill(feed, profile, keep, asked.span, runs, clock.now());
  const daily = fields.reduce((sum, each) => sum + planFeed(each, profile, keep).bytesADay, 0);
  const bytesADay = env.feeds.bytesADay - daily;
  out.write(describeBackfill(plan, Math.max(0, bytesADay)));
  if (plan.units.length === 0) return 0;
  if (bytesADay <= 0) {
    err.write(
      `FEED_BYTES_A_DAY is ${formatBytes(env.feeds.bytesADay)}, and the feeds of FEEDS need ${formatBytes(daily)} a day: nothing is left for a back-fill.\n`,
    );
    return 1;
  }
  if (!asked.yes) {
    if (!deps.ask) {
      err.write("Add --yes to start without asking.\n");
      return 2;
    }
    if (!(await deps.ask("Go on?"))) return 0;
  }
  const database = await deps.open();
  const lead = await leadBackfill(database);
  if (!lead) {
    err.write("Another back-fill is running; one at a time.\n");
    return 1;
  }
  try {
    return await run(deps, plan, bytesADay, database, AbortSignal.any([signal, lead.lost]));
  } catch (error) {
    if (error instanceof NoRoomError) err.write(`Stopped: ${error.message}.\n`);
    else if (signal.aborted) err.write("Stopped; the same command continues where it was.\n");
    else throw error;
    return signal.aborted ? 130 : 1;
  } finally {
    await lead.close();
  }
}

async function run(
  deps: FeedsCommandDeps,
  plan: BackfillPlan,
  bytesADay: number,
  database: Database,
  signal: AbortSignal,
): Promise<number> {
  const { env, selected, out } = deps;
  const { profile, keepsAs } = selected;
  const feedDeps = openFeedDeps(deps, database, await deps.openArchive(), [plan.feed], bytesADay);
  const keep = keepOf(keepsAs, env.feeds.keep);
  const cycles = selected.fields.map(
    (feed) => planFeed(feed, profile, keep).bytesACycle * archivedPerFetched(feed, profile),
  );
  let isWaiting = false;
  try {
    const { failed } = await backfill(
      {
        ...feedDeps,
        folder: join(feedDeps.folder, "backfill"),
        // The reserve equals the free space that the loop requires before it condenses.
        reserve: 2 * Math.max(0, ...cycles),
        sleep: realSleep,
        out,
        async turn(aborted) {
          while (await isRoundRunning(database)) {
            if (!isWaiting)
              out.write("The server is fetching new data; the back-fill waits until it is done.\n");
            isWaiting = true;
            await realSleep(TURN_S, aborted);
          }
          isWaiting = false;
        },
      },
      plan,
      signal,
    );
    return failed === 0 ? 0 : 1;
  } finally {
    await feedDeps.close();
  }
}

type Asked = { feed: string; span: { from: number; to: number }; yes: boolean };

/** @returns The error as a text; undefined if help was requested. */
function readArguments(
  args: string[],
  known: readonly string[],
  now: number,
): Asked | { wrong: string | undefined } {
  const options = {
    from: { type: "string" },
    to: { type: "string" },
    yes: { type: "boolean", short: "y" },
    help: { type: "boolean", short: "h" },
  } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, strict: false, options });
  if (values.help) return { wrong: undefined };
  const option = Object.keys(values).find((name) => !(name in options));
  if (option !== undefined) return { wrong: `There is no option --${option}.` };
  const [feed, ...more] = positionals;
  if (feed === undefined || more.length > 0) return { wrong: `Which feed? One of ${known.join(", ")}.` };
  if (!known.includes(feed))
    return { wrong: `There is no feed of fields "${feed}"; there are ${known.join(", ")}.` };
  const dayOf = (text: unknown) =>
    typeof text === "string" ? parseInstant(`${text}T00:00:00Z`) : Number.NaN;
  const from = dayOf(values.from);
  const to = values.to === undefined ? startOfDay(now) : dayOf(values.to);
  if (Number.isNaN(from) || Number.isNaN(to))
    return { wrong: "--from is required; --from and --to are days, such as 2026-08-01." };
  if (from > to) return { wrong: "--from is after --to." };
  return { feed, span: { from, to: to + DAY_S }, yes: values.yes === true };
}
