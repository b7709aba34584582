import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { cmems, cmemswave, cmemswaveFeed, smoc, smocFeed } from "./copernicus.ts";
import { ecmwf, ecmwfFeed, ecmwfwave, ecmwfwaveFeed } from "./ecmwf.ts";
import { etopo, etopoFeed } from "./etopo.ts";
import { gfs, gfsFeed } from "./gfs.ts";
import { gfswave, gfswaveFeed } from "./gfswave.ts";
import { hycom, hycomFeed } from "./hycom.ts";
import { oisst, oisstFeed } from "./oisst.ts";
import type { Source } from "./source.ts";

/** All feeds that can be ingested. */
export const sources: readonly Source[] = [
  gfs,
  gfswave,
  ecmwf,
  ecmwfwave,
  cmemswave,
  smoc,
  hycom,
  cmems,
  oisst,
  etopo,
];

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
