import { selectedFeeds } from "#server/context/selected-feeds.ts";
import type { Env } from "#server/platform/env.ts";

/** Whether a server with this environment fetches feeds. */
export function fetchesFeeds(env: Env): boolean {
  const { fields, storms } = selectedFeeds(env);
  return fields.length + storms.length > 0 && (env.role === "all" || env.role === "ingest");
}
