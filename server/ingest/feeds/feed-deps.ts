import type { RunArchive } from "#server/archive/run-archive.ts";
import { createDecoder, type Decoder } from "#server/ingest/decoder.ts";
import { type Clock, realClock, realSleep, type Sleep } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { type FeedStates, feedStates } from "#server/platform/feed-state.ts";
import {
  ClockError,
  correctedClock,
  describeClockError,
  writeClockReading,
} from "#server/platform/fetching/clock-error.ts";
import { createFetcher, type Fetcher, type FetcherOptions } from "#server/platform/fetching/fetcher.ts";
import { type HostRules, REQUESTS_PER_MINUTE } from "#server/platform/fetching/host-limits.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Leadership } from "#server/platform/session.ts";
import { type FetchedPart, fetchPart } from "./fetch-part.ts";
import type { FieldFeed, Part, Profile } from "./field-feed.ts";
import { type DiskBudget, diskBudget, type FeedSelection } from "./plan-feeds.ts";

/**
 * Fetches one part into a folder of its own. Existing pieces are not fetched again, and a complete part is returned
 * without a request. With `mustBeWhole`, a part that lacks some of the wanted fields is a failure.
 */
export type FetchPart = (
  feed: FieldFeed,
  part: Part,
  profile: Profile,
  options: { folder: string; signal: AbortSignal; mustBeWhole?: boolean },
) => Promise<FetchedPart | "absent">;

export interface FeedDeps {
  profile: Profile;
  archive: RunArchive;
  /** DATA_DIR/feeds, with parts, quarantine and baselines. */
  folder: string;
  fetchPart: FetchPart;
  decoder: Decoder;
  states: FeedStates;
  clock: Clock;
  disk: DiskBudget;
  log?: Pick<Logger, "info" | "warn">;
}

export interface FeedLoop {
  /**
   * Does all work that is due now: fetches available parts, checks and publishes them, and removes what is no longer
   * needed.
   *
   * @param isAsked Whether every feed is checked, due or not, because a person has asked for it.
   * @returns When to look again, Unix seconds.
   */
  round(signal: AbortSignal, isAsked?: boolean): Promise<number>;
}

export interface FeedsCommandDeps {
  env: Pick<Env, "feeds" | "storage">;
  /** Feeds that FEEDS selects, and all known feeds of fields. */
  selected: FeedSelection;
  known: readonly FieldFeed[];
  /** Names of all feeds of storms, and a function that opens the loops of some of them. */
  storms: readonly string[];
  openStorms(
    names: readonly string[],
    database: Database,
  ): FeedLoop & { loops: readonly FeedLoop[]; close(): Promise<void> };
  version: string;
  open(): Promise<Database>;
  openArchive(): Promise<RunArchive>;
  out: { write(text: string): unknown };
  err: { write(text: string): unknown };
  log: Logger;
  /** Asks the operator a question; absent where nobody can answer. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
  clock?: Clock;
  signal: AbortSignal;
}

/** Options such as FEED_MIRROR, the bytes a day and the attempts without progress. */
interface FeedFetcherOptions
  extends Omit<FetcherOptions, "hosts" | "userAgent" | "clock" | "sleep" | "random"> {
  contact: string | undefined;
  version: string;
}

/** Creates one client for several feeds, so that all of them together respect the request rules of a host. */
export function feedFetcher(
  hosts: Readonly<Record<string, HostRules>>,
  { contact, version, ...options }: FeedFetcherOptions,
): Fetcher {
  return createFetcher({
    ...options,
    hosts,
    userAgent: `OpenMetOcean/${version} (${contact ?? "no contact given"})`,
    clock: realClock,
    sleep: realSleep,
    random: Math.random,
  });
}

/**
 * Observes the error of this machine's clock while fetching. It is logged, and stored for the server. @param folder
 * DATA_DIR/feeds.
 */
export function observedClock(folder: string, log: Pick<Logger, "warn"> | undefined): ClockError {
  return new ClockError((reading) => {
    const wrong = describeClockError(reading);
    if (wrong !== undefined) log?.warn(wrong);
    writeClockReading(folder, reading).catch((err: unknown) => log?.warn({ err }, "clock reading not kept"));
  });
}

/** Request rules by host name. Where several mirrors are on one host, the strictest rules apply. */
export function hostRules(feeds: readonly Pick<FieldFeed, "mirrors">[]): Record<string, HostRules> {
  const byHost = new Map<string, HostRules>();
  for (const { base, requestsPerMinute, throttledBy } of feeds.flatMap(({ mirrors }) => mirrors)) {
    // A folder has no host.
    if (base.startsWith("/")) continue;
    const host = new URL(base).host;
    const known = byHost.get(host);
    const rules = { requestsPerMinute, throttledBy };
    byHost.set(host, known ? stricter(known, rules) : rules);
  }
  return Object.fromEntries(byHost);
}

function stricter(one: HostRules, other: HostRules): HostRules {
  const limits = [one, other].map(({ requestsPerMinute }) => requestsPerMinute ?? REQUESTS_PER_MINUTE);
  const statuses = [one, other].flatMap(({ throttledBy = [] }) => throttledBy);
  return {
    requestsPerMinute: Math.min(...limits),
    throttledBy: statuses.length > 0 ? [...new Set(statuses)] : undefined,
  };
}

/**
 * Opens the dependencies of a command of feeds.
 *
 * @param feeds Feeds whose hosts are contacted.
 * @param bytesADay Bytes that may be fetched in one day.
 */
export function openFeedDeps(
  { env, selected, version, log, clock: machine = realClock }: FeedsCommandDeps,
  database: Database,
  archive: RunArchive,
  feeds: readonly FieldFeed[],
  bytesADay: number,
): FeedDeps & { close(): Promise<void> } {
  const { storage } = env;
  const { folder, mirror, contact, diskBytes } = env.feeds;
  const clockError = observedClock(folder, log);
  const clock = correctedClock(machine, clockError);
  const states = feedStates(database.prisma, clock);
  const { spend } = states;
  const fetcher = feedFetcher(hostRules(feeds), {
    mirror,
    contact,
    bytesADay,
    version,
    spend,
    clockError,
    log,
  });
  const decoder = createDecoder();
  return {
    profile: selected.profile,
    archive,
    folder,
    fetchPart: (feed, part, profile, options) =>
      fetchPart(feed, part, profile, { ...options, fetcher, clock }),
    decoder,
    states,
    clock,
    disk: diskBudget(archive, diskBytes, storage.minFreeBytes),
    log,
    async close() {
      fetcher.close();
      await decoder.close();
    },
  };
}

/** The two numbers of the advisory lock. They are arbitrary but the same in every process. */
const SPACE = 1_718_773_095;
const FIELDS = 1;
const ROUND = 2;
const BACKFILL = 3;
/** Longest time without a fetching process after the leading process has ended, seconds. */
const RETRY_S = 10;

/** Channel on which a notification makes the fetching process look for new data at once. */
export const WAKE_CHANNEL = "metocean_feeds";

/** Asks the fetching process to look for new data now. */
export async function wakeLeader({ prisma }: Pick<Database, "prisma">): Promise<void> {
  await prisma.$executeRaw`SELECT pg_notify(${WAKE_CHANNEL}, '')`;
}

/** Takes the right to fetch fields, which one process per database has; undefined if another one has it. */
export function leadFeeds(database: Pick<Database, "lead">): Promise<Leadership | undefined> {
  return database.lead(SPACE, FIELDS);
}

/** Waits for the right to fetch until the process that has it ends. @returns undefined when aborted. */
export async function waitToLeadFeeds(
  database: Pick<Database, "lead">,
  signal: AbortSignal,
  sleep: Sleep = realSleep,
): Promise<Leadership | undefined> {
  while (!signal.aborted) {
    const lead = await leadFeeds(database);
    if (lead) return lead;
    await sleep(RETRY_S, signal).catch(() => {});
  }
  return undefined;
}

/** Marks each round of the loops, so that a back-fill notices it and waits for its end. A round never waits. */
export function markRounds(database: Pick<Database, "lead">, loops: readonly FeedLoop[]): FeedLoop[] {
  /** One mark for the rounds of all loops. */
  let mark: Promise<Leadership | undefined> | undefined;
  let running = 0;
  return loops.map((loop) => ({
    async round(signal, isAsked) {
      running++;
      // Without the mark a back-fill fetches at the same time, which is no reason to skip the round.
      mark ??= database.lead(SPACE, ROUND).catch(() => undefined);
      const marked = await mark;
      try {
        return await loop.round(signal, isAsked);
      } finally {
        running--;
        if (running === 0) {
          mark = undefined;
          await marked?.close();
        }
      }
    },
  }));
}

/** Whether any process with the same database is doing a round. */
export async function isRoundRunning({ prisma }: Pick<Database, "prisma">): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ running: boolean }[]>`
    SELECT exists(
      SELECT 1 FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid::bigint = ${SPACE} AND objid::bigint = ${ROUND}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS running`;
  return row!.running;
}

/** Takes the right to back-fill, which one process has at a time; undefined if another one has it. */
export function leadBackfill(database: Pick<Database, "lead">): Promise<Leadership | undefined> {
  return database.lead(SPACE, BACKFILL);
}
