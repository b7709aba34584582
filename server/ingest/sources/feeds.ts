import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { cmemswaveFeed } from "./cmemswave-feed.ts";
import { ecmwfFeed } from "./ecmwf-feed.ts";
import { ecmwfwaveFeed } from "./ecmwfwave-feed.ts";
import { etopoFeed } from "./etopo-feed.ts";
import { gfsFeed } from "./gfs-feed.ts";
import { gfswaveFeed } from "./gfswave-feed.ts";
import { hycomFeed } from "./hycom-feed.ts";
import { oisstFeed } from "./oisst-feed.ts";
import { smocFeed } from "./smoc-feed.ts";

/** All published feeds of fields, in the order of documents. */
export const fieldFeeds: readonly FieldFeed[] = [
  gfsFeed,
  gfswaveFeed,
  ecmwfFeed,
  ecmwfwaveFeed,
  cmemswaveFeed,
  smocFeed,
  hycomFeed,
  oisstFeed,
  etopoFeed,
];
