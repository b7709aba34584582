import path from "node:path";
import { outputsIn } from "#lib/catalog/fields.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { fieldsOfProfile, titleOf } from "#server/ingest/feeds/profile-fields.ts";
import { selectFeeds, WrongFeedsError } from "#server/ingest/feeds/select-feeds.ts";
import { sources } from "#server/ingest/sources/all.ts";
import { fieldFeeds } from "#server/ingest/sources/feeds.ts";
import { movedFeeds } from "#server/ingest/sources/moved-feeds.ts";
import { readOwnSources } from "#server/ingest/sources/own-sources.ts";
import type { Env } from "#server/platform/env.ts";
import { stormFeeds } from "#server/storms/live/feeds.ts";
import type { FeedDescription } from "./feeds.ts";

/** Names of the feeds of storms. */
export const stormFeedNames: readonly string[] = stormFeeds.map(({ name }) => name);

/** All feeds of fields, with those of the operator's own. @throws ConfigError */
export function knownFeeds({ feeds }: Pick<Env, "feeds">): readonly FieldFeed[] {
  return withOwn(feeds.sources);
}

function withOwn(folder: string): readonly FieldFeed[] {
  const taken = [...sources, ...fieldFeeds, ...stormFeeds].map(({ name }) => name);
  const own = readOwnSources(folder, [...new Set(taken)]);
  return [...movedFeeds(folder, fieldFeeds), ...own];
}

/** The feeds that FEEDS turns on. @throws ConfigError */
export function selectedFeeds(env: Pick<Env, "feeds">) {
  return selectFeeds(env.feeds.enabled, knownFeeds(env), stormFeedNames);
}

/** What is wrong with a value of FEEDS; undefined if nothing is. */
export function feedsProblem(value: string, dataDir: string | undefined): string | undefined {
  try {
    const known = dataDir === undefined ? fieldFeeds : withOwn(path.resolve(dataDir, "sources"));
    selectFeeds(value, known, stormFeedNames);
    return undefined;
  } catch (error) {
    if (error instanceof WrongFeedsError) return error.reason;
    throw error;
  }
}

/** Variables that the feeds of FEEDS bring. @throws ConfigError */
export function broughtVariables(env: Pick<Env, "feeds">): Set<VariableName> {
  const { profile, fields } = selectedFeeds(env);
  const names = fields.flatMap((feed) => fieldsOfProfile(feed, profile));
  const brought = Object.fromEntries(names.map((name) => [name, true]));
  return new Set(variableNames.filter((name) => outputsIn(brought, name).length > 0));
}

/** What people are told of them, fields first. @throws ConfigError */
export function describedFeeds(env: Pick<Env, "feeds">): FeedDescription[] {
  const { profile, fields, storms } = selectedFeeds(env);
  const ofStorms = stormFeeds.filter(({ name }) => storms.includes(name));
  return [
    ...fields.map((feed) => ({
      name: feed.name,
      title: titleOf(feed, profile),
      credit: feed.credit,
      kind: "fields" as const,
    })),
    ...ofStorms.map(({ name, title, credit }) => ({ name, title, credit, kind: "storms" as const })),
  ];
}
