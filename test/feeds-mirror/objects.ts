import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { ensembleFeeds, fieldFeeds } from "#server/ingest/publishers/registry.ts";

/** Names of the objects of feeds that have hosts of their own here, "/host/path"; the storm feeds share theirs. */
const objectsByHand: Readonly<Record<string, string>> = {
  gfs: "/atmos/(?:grib2/0p25/)?gfs\\.",
  gfswave: "/wave/gridded/(?:global|gfswave)",
  ecmwf: "/ifs/0p25/(?:oper|scda)/",
  ecmwfwave: "/ifs/0p25/(?:wave|scwv)/",
  cmemswave: "cmems_mod_glo_wav_anfc",
  smoc: "cmems_mod_glo_phy_anfc_merged-uv",
  hycom: "/FMRC_ESPC",
  oisst: "/oisst-avhrr",
  etopo: "/ETOPO_2022",
  ukmo: "/global-deterministic-10km/",
  "gefs-mean": "/atmos/pgrb2sp25/ge(?:avg|spr)\\.",
  "gefs-statistics": "/atmos/pgrb2sp25/ge(?:c00|p\\d\\d)\\.",
  "gefs-members": "/atmos/pgrb2[ab]p5/",
  "gefswave-mean": "/wave/gridded/gefs\\.wave\\.t\\d\\dz\\.(?:mean|spread)\\.",
  "gefswave-members": "/wave/gridded/gefs\\.wave\\.t\\d\\dz\\.(?:c00|p\\d\\d)\\.",
  // The control of both is the deterministic forecast.
  "ecmwfens-members": "/ifs/0p25/(?:enfo|oper)/",
  "ecmwfenswave-members": "/ifs/0p25/(?:waef|wave)/",
  "ecmwfaifsens-members": "/aifs-ens/0p25/enfo/",
  storms: "^/(?:ftp\\.nhc|hurricanes\\.ral|tgftp|www\\.(?:jma|data\\.jma|metoc|nhc|ssd))\\.",
};

/** Feeds whose hosts are as their folders say. */
export const feedsByFolder: readonly FieldFeed[] = fieldFeeds.filter(({ name }) => !(name in objectsByHand));

/** Names of the objects of each feed, "/host/path". */
export const objectsOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(feedsByFolder.map((feed) => [feed.name, patternOf(feed)])),
  // Statistics are made of the objects of members, except where they have a pattern of their own below.
  ...Object.fromEntries(
    ensembleFeeds.map(({ name, source }) => [name, objectsByHand[`${source.name}-members`]!]),
  ),
  ...objectsByHand,
};

/**
 * The name of an object and of its index, with any numbers in it; where a step has several objects, what their names begin
 * with.
 */
function patternOf(feed: FieldFeed): string {
  const objects = feed.objects(feed.parts(feed.cycles.offset, "full")[0]!, "full", feed.mirrors[0]!);
  if (objects?.kind === "all") return `/${objects.objects[0]!.split(/\d/)[0]}`;
  const name = objects?.kind === "messages" ? objects.object.replace(/\.[^./]*$/, "") : feed.name;
  return `/${name.replaceAll(/[.?*+^$()|[\]{}\\]/g, "\\$&").replaceAll(/\d+/g, "\\d+")}`;
}
