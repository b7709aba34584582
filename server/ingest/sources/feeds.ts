import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { gfsFeed } from "./gfs-feed.ts";
import { gfswaveFeed } from "./gfswave-feed.ts";

/** All published feeds of fields, in the order of documents. */
export const fieldFeeds: readonly FieldFeed[] = [gfsFeed, gfswaveFeed];
