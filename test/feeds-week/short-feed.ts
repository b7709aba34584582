import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { fieldFeeds } from "#server/ingest/sources/feeds.ts";

/** A feed by its name. */
export function feedNamed(name: string): FieldFeed {
  const found = fieldFeeds.find((feed) => feed.name === name);
  if (!found) throw new RangeError(`There is no feed ${name}`);
  return found;
}

/** A feed whose cycles end early: what takes minutes for ten days takes seconds for one. @param hours Longest lead. */
export function shortFeed(name: string, hours: number): FieldFeed {
  const feed = feedNamed(name);
  return {
    ...feed,
    parts: (cycle, profile) =>
      feed.parts(cycle, profile).filter(({ times }) => times.every((time) => time <= cycle + hours * 3600)),
  };
}
