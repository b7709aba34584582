import { ensembleFeeds } from "#server/ingest/publishers/registry.ts";
import { arcoHost } from "./host-arco.ts";
import { ecmwfHost } from "./host-ecmwf.ts";
import { ensembleHost } from "./host-ensemble.ts";
import { gfsHost } from "./host-gfs.ts";
import { publisherHost } from "./host-publisher.ts";
import { etopoHost, hycomHost, oisstHost, smocHost } from "./host-sea.ts";
import { jmaXmlHost, stormHost } from "./host-storms.ts";
import { ukmoHost } from "./host-ukmo.ts";
import { feedsByFolder } from "./objects.ts";
import type { Host } from "./published.ts";

const DAY_S = 86_400;
const MINUTE_S = 60;

/** A host with the objects of several hosts. */
function together(...all: readonly Host[]): Host {
  return (request, planet) => {
    for (const host of all) {
      const found = host(request, planet);
      if (found) return found;
    }
    return undefined;
  };
}

/** Hosts that are described here, so that an address of a publisher is not only compared with itself. */
const hostsByHand: Readonly<Record<string, Host>> = {
  "noaa-gfs-bdp-pds.s3.amazonaws.com": gfsHost({ prefix: "", delay: 2 * MINUTE_S }),
  "storage.googleapis.com": together(
    gfsHost({ prefix: "/global-forecast-system", delay: 12 * MINUTE_S }),
    ecmwfHost("/ecmwf-open-data", 20 * MINUTE_S),
  ),
  "noaagfs.blob.core.windows.net": gfsHost({ prefix: "/gfs", delay: 25 * MINUTE_S, keeps: 30 * DAY_S }),
  "nomads.ncep.noaa.gov": gfsHost({
    prefix: "/pub/data/nccf/com/gfs/prod",
    delay: 0,
    keeps: 2 * DAY_S,
    statusGone: 403,
  }),
  "ecmwf-forecasts.s3.eu-central-1.amazonaws.com": ecmwfHost("", 5 * MINUTE_S),
  "data.ecmwf.int": ecmwfHost("/forecasts", 0, 4),
  "s3.waw3-1.cloudferro.com": together(arcoHost, smocHost),
  "s3.waw4-1.cloudferro.com": arcoHost,
  "www.ncei.noaa.gov": oisstHost("/data/sea-surface-temperature-optimum-interpolation/v2.1/access"),
  "noaa-cdr-sea-surface-temp-optimum-interpolation-pds.s3.amazonaws.com": oisstHost("/data/v2.1"),
  "oceanwatch.pifsc.noaa.gov": etopoHost,
  "ncss.hycom.org": hycomHost,
  ...Object.fromEntries(
    [
      "ftp.nhc.noaa.gov",
      "hurricanes.ral.ucar.edu",
      "tgftp.nws.noaa.gov",
      "www.jma.go.jp",
      "www.metoc.navy.mil",
      "www.nhc.noaa.gov",
      "www.ssd.noaa.gov",
    ].map((name) => [name, stormHost(name)]),
  ),
  "www.data.jma.go.jp": jmaXmlHost,
  "met-office-atmospheric-model-data.s3.eu-west-2.amazonaws.com": ukmoHost,
};

const hostsByFolder = Map.groupBy(
  [...feedsByFolder, ...ensembleFeeds].flatMap((feed) =>
    feed.mirrors.map((mirror) => {
      const host = feed.ensemble ? ensembleHost(feed, mirror) : publisherHost(feed, mirror);
      return [new URL(mirror.base).host, host] as const;
    }),
  ),
  ([name]) => name,
);

/** The content of each host, by its name. */
export const hosts: Readonly<Record<string, Host>> = {
  ...hostsByHand,
  ...Object.fromEntries(
    [...hostsByFolder].map(([name, found]) => [
      name,
      together(...found.map(([, host]) => host), hostsByHand[name] ?? (() => undefined)),
    ]),
  ),
};
