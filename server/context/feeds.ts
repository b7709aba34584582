import path from "node:path";
import { outputsIn } from "#lib/catalog/fields.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import type { FeedStatus, FeedsResponse } from "#lib/contract/feeds.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { fieldsOfProfile } from "#server/ingest/feeds/field-feed.ts";
import { selectFeeds, WrongFeedsError } from "#server/ingest/feeds/plan-feeds.ts";
import { ensembleFeeds, ensembles, fieldFeeds, sources } from "#server/ingest/publishers/registry.ts";
import { movedFeeds } from "#server/ingest/sources/moved-feeds.ts";
import { readOwnSources } from "#server/ingest/sources/own-source.ts";
import type { Env } from "#server/platform/env.ts";
import { type FeedState, type FeedStates, LATE_AFTER_S } from "#server/platform/feed-state.ts";
import { type ClockReading, describeClockError } from "#server/platform/fetching/clock-error.ts";
import type { Metrics } from "#server/platform/metrics.ts";
import { stormFeeds } from "#server/storms/live/feeds.ts";
import { sourceChecks } from "./sources.ts";

/** Constant properties of a feed. */
export type FeedDescription = Pick<FeedStatus, "name" | "title" | "credit" | "kind">;

export interface FeedsDeps {
  /** Whether GET /feeds needs no key. */
  open: boolean;
  enabled: readonly FeedDescription[];
  states: Pick<FeedStates, "all">;
  /** Bytes of the published runs. */
  diskBytes(): Promise<number>;
  /** Size limit of the published runs, bytes; undefined without one. */
  budgetBytes: number | undefined;
  /** Weather clock, Unix seconds. */
  now(): number;
  /** Last reading of this machine's clock error by the fetching process. */
  clockReading(): Promise<ClockReading | undefined>;
}

/** State of the feeds, as GET /feeds answers it. */
export interface FeedsStatus {
  open: boolean;
  /** Describes an error of this machine's clock for the operator; undefined where none is known. */
  clockProblem(): Promise<string | undefined>;
  read(): Promise<FeedsResponse>;
}

export function feedsStatus({
  open,
  enabled,
  states,
  diskBytes,
  budgetBytes,
  now,
  clockReading,
}: FeedsDeps): FeedsStatus {
  return {
    open,
    clockProblem: async () => describeClockError(await clockReading()),
    read: async () => {
      const [known, bytes, reading] = await Promise.all([states.all(), diskBytes(), clockReading()]);
      const byName = new Map(known.map((state) => [state.name, state]));
      // The fetching process corrects its clock likewise.
      const at = now() - (reading?.errorS ?? 0);
      return {
        now: formatInstant(at),
        clock_error_s: reading?.errorS ?? null,
        feeds: enabled.map((description) => statusOf(description, byName.get(description.name), at)),
        disk: { bytes, budget_bytes: budgetBytes ?? null },
      };
    },
  };
}

function statusOf(description: FeedDescription, state: FeedState | undefined, now: number): FeedStatus {
  const newestRun = state?.newestRun ?? null;
  return {
    ...description,
    state: stateAt(state, now),
    newest_run: instant(newestRun),
    age_s: newestRun === null ? null : Math.max(0, Math.round(now - newestRun)),
    steps: state?.steps ?? 0,
    steps_expected: state?.stepsExpected ?? 0,
    valid_until: instant(state?.validUntil),
    next_expected: instant(state?.nextExpected),
    last_success: instant(state?.lastSuccess),
    last_error:
      state?.error && state.errorAt !== null
        ? { at: formatInstant(state.errorAt), message: state.error }
        : null,
    mirror: state?.mirror ?? null,
    bytes_today: state?.bytesToday ?? 0,
    quarantined: state?.quarantined ?? 0,
  };
}

/**
 * Derives whether a feed is late, because a loop that has died writes nothing. A current feed is late once its own
 * expectation has passed. A feed whose run is arriving may still be catching up, so it is late only if its row has also
 * not been written for as long.
 */
function stateAt(state: FeedState | undefined, now: number): FeedStatus["state"] {
  if (!state || state.state === "off") return "waiting";
  const overdue = state.nextExpected !== null && now > state.nextExpected + LATE_AFTER_S;
  const isSilent = now > state.updatedAt + LATE_AFTER_S;
  const isLate = overdue && (state.state === "current" || (state.state === "growing" && isSilent));
  return isLate ? "late" : state.state;
}

const instant = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : formatInstant(Math.round(seconds));

/**
 * Adds metrics of the clock and of each feed, which deploy/alerts.yml watches. A feed without a value has no metric.
 */
export function observeFeeds({ read }: Pick<FeedsStatus, "read">, metrics: Metrics): void {
  let reading: Promise<FeedsResponse> | undefined;
  /** One query serves all metrics of a scrape. */
  const shared = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = (name: string, help: string, of: (feed: FeedStatus, now: number) => number | null) =>
    metrics.gauges(name, help, "feed", async () => {
      const { feeds, now } = await shared();
      const values = feeds.map((feed) => [feed.name, of(feed, parseInstant(now))] as const);
      return new Map(values.filter((entry): entry is [string, number] => entry[1] !== null));
    });
  const since = (instant: string | null, now: number) =>
    instant === null ? null : now - parseInstant(instant);
  metrics.gauge(
    "clock_error_seconds",
    "Seconds by which the clock of this machine is ahead, according to several hosts of feeds; NaN if unknown",
    async () => (await shared()).clock_error_s ?? Number.NaN,
  );
  gauge(
    "feed_age_seconds",
    "Seconds since the base time of the newest run, or since the newest text",
    ({ age_s }) => age_s,
  );
  gauge(
    "feed_overdue_seconds",
    "Seconds since the next run was expected; negative before that",
    (feed, now) => since(feed.next_expected, now),
  );
  gauge("feed_success_age_seconds", "Seconds since the last successful fetch", (feed, now) =>
    since(feed.last_success, now),
  );
  gauge("feed_failing", "1 if the last attempt failed", ({ state }) => Number(state === "failing"));
  gauge(
    "feed_quarantined",
    "Fetched files that were refused and are stored",
    ({ quarantined }) => quarantined,
  );
  gauge("feed_today_bytes", "Bytes fetched since midnight UTC", ({ bytes_today }) => bytes_today);
}

export const stormFeedNames: readonly string[] = stormFeeds.map(({ name }) => name);

/** Checks of the settings that name feeds or sources: see `readEnv`. */
export const settingChecks = { FEEDS: feedsProblem, ...sourceChecks };

/** All feeds of fields, including those of the operator's own sources. @throws ConfigError */
export function knownFeeds({ feeds }: Pick<Env, "feeds">): readonly FieldFeed[] {
  return withOwn(feeds.sources);
}

/** The feeds that come with the service. */
const builtIn = [...fieldFeeds, ...ensembleFeeds];

function withOwn(folder: string): readonly FieldFeed[] {
  const taken = [...sources, ...ensembles, ...builtIn, ...stormFeeds].map(({ name }) => name);
  const own = readOwnSources(folder, [...new Set(taken)]);
  return [...movedFeeds(folder, builtIn), ...own];
}

/** The feeds that FEEDS turns on. @throws ConfigError */
export function selectedFeeds(env: Pick<Env, "feeds">) {
  return selectFeeds(env.feeds.enabled, knownFeeds(env), stormFeedNames);
}

/** Describes what is wrong with a value of FEEDS; undefined if nothing is. */
function feedsProblem(value: string, dataDir: string | undefined): string | undefined {
  try {
    const known = dataDir === undefined ? builtIn : withOwn(path.resolve(dataDir, "sources"));
    selectFeeds(value, known, stormFeedNames);
    return undefined;
  } catch (error) {
    if (error instanceof WrongFeedsError) return error.reason;
    throw error;
  }
}

/** Variables that the feeds of FEEDS provide; ensembles answer only requests that name them. @throws ConfigError */
export function broughtVariables(env: Pick<Env, "feeds">): Set<VariableName> {
  const { profile, fields } = selectedFeeds(env);
  const names = fields.flatMap((feed) => (feed.ensemble ? [] : fieldsOfProfile(feed, profile)));
  const brought = Object.fromEntries(names.map((name) => [name, true]));
  return new Set(variableNames.filter((name) => outputsIn(brought, name).length > 0));
}

/** Descriptions of the enabled feeds for the status page, fields first. @throws ConfigError */
export function describedFeeds(env: Pick<Env, "feeds">): FeedDescription[] {
  const { profile, fields, storms } = selectedFeeds(env);
  const ofStorms = stormFeeds.filter(({ name }) => storms.includes(name));
  return [
    ...fields.map((feed) => ({
      name: feed.name,
      title: feed.title(profile),
      credit: feed.credit,
      kind: "fields" as const,
    })),
    ...ofStorms.map(({ name, title, credit }) => ({ name, title, credit, kind: "storms" as const })),
  ];
}
