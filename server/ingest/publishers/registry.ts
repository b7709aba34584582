import type { SourceOrder } from "#lib/catalog/source-order.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import type { Source } from "#server/ingest/sources/source.ts";
import { arpege } from "./arpege/publisher.ts";
import { cmems } from "./cmems/publisher.ts";
import { cmemswave } from "./cmemswave/publisher.ts";
import { dwdewam } from "./dwdewam/publisher.ts";
import { dwdgwam } from "./dwdgwam/publisher.ts";
import { ecmwf } from "./ecmwf/publisher.ts";
import { ecmwfaifs } from "./ecmwfaifs/publisher.ts";
import { ecmwfaifsens } from "./ecmwfaifsens/publisher.ts";
import { ecmwfaifswave } from "./ecmwfaifswave/publisher.ts";
import { ecmwfens } from "./ecmwfens/publisher.ts";
import { ecmwfenswave } from "./ecmwfenswave/publisher.ts";
import { ecmwfwave } from "./ecmwfwave/publisher.ts";
import type { EnsemblePublisher } from "./ensemble.ts";
import { etopo } from "./etopo/publisher.ts";
import { gefs } from "./gefs/publisher.ts";
import { gefswave } from "./gefswave/publisher.ts";
import { gfs } from "./gfs/publisher.ts";
import { gfswave } from "./gfswave/publisher.ts";
import { hycom } from "./hycom/publisher.ts";
import { oisst } from "./oisst/publisher.ts";
import type { Publisher } from "./publisher.ts";
import { smoc } from "./smoc/publisher.ts";
import { ukmo } from "./ukmo/publisher.ts";

/** All publishers of fields. Of several that have a variable, the first one answers by default. */
export const publishers: readonly Publisher[] = [
  gfs,
  ecmwf,
  smoc,
  oisst,
  cmems,
  ecmwfwave,
  gfswave,
  cmemswave,
  hycom,
  etopo,
  ecmwfaifs,
  dwdewam,
  dwdgwam,
  ecmwfaifswave,
  ukmo,
  arpege,
];

/** All ensembles. Of several that have a variable, the first one answers requests that name none. */
export const ensembles: readonly EnsemblePublisher[] = [gefs, gefswave, ecmwfens, ecmwfenswave, ecmwfaifsens];

/** All sources that can be ingested from files. */
export const sources: readonly Source[] = publishers.map(({ source }) => source);

/** All feeds that can be fetched. */
export const fieldFeeds: readonly FieldFeed[] = publishers.flatMap(({ feed }) => feed ?? []);

/** The feeds of ensembles, one for each plan. */
export const ensembleFeeds: readonly FieldFeed[] = ensembles.flatMap(({ feeds }) => feeds);

/** The publishers of each variable, best first. */
export const publisherOrder: SourceOrder = Object.fromEntries(
  variableNames.map((name) => {
    const having = publishers.filter(({ variables }) => variables.includes(name));
    const isLast = ({ lastFor = [] }: Publisher) => lastFor.includes(name);
    return [name, [...having.filter((one) => !isLast(one)), ...having.filter(isLast)].map((one) => one.name)];
  }),
) as Record<(typeof variableNames)[number], string[]>;
