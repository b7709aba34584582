import { stormProviders } from "@open-metocean/storms/providers";
import { itemsQuery, metadataQuery } from "#lib/contract/edr.ts";
import { idParameter, openapiDocument30, queryParameters, reply } from "#lib/contract/openapi.ts";
import {
  ACTIVE_STORMS,
  isStormIn,
  type StormItem,
  stormCollection,
  stormFeatures,
  stormItemLinks,
} from "#lib/edr/features.ts";
import {
  collectionLinks,
  conformance,
  describeCollection,
  type EdrCollection,
  edrCollections,
  isStatic,
  landingPage,
  OPENAPI_3_0,
  timesOfCollection,
} from "#lib/edr/metadata.ts";
import { readBbox, readDatetime } from "#lib/edr/queries.ts";
import { TIDES } from "#lib/edr/tides.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { isSynthetic, type Manifest, type Run } from "#server/archive/run.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { detailReply, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { checkerOf } from "#server/http/validation.ts";
import { boxOfRuns, runsWith, variablesOf } from "#server/metocean/one-run.ts";
import { countedOperation, type OperationDefinition, readOperation } from "./definition.ts";
import {
  baseOf,
  cachedLinks,
  collectionOf,
  collectionOfRun,
  collectionPath,
  collectionsOfEnsembles,
  collectionsOfModels,
  edrAnswerIn,
  edrJsonDocs,
  extentOf,
  type FoundCollection,
  instancePath,
  readingQuery,
  runOf,
} from "./edr.ts";
import { describedTides } from "./edr-tides.ts";
import { type Packed, packed } from "./service.ts";
import { GEOJSON, notYetReceived } from "./storms.ts";

const MAX_DOCUMENTS = 8;
const check = checkerOf(metadataQuery, "query");

export const edrLanding = countedOperation(
  {
    route: "GET /edr",

    ...edrJsonDocs(
      {
        operationId: "getEdr",
        summary: "OGC API – Environmental Data Retrieval 1.1: landing page",
        description: "The data of POST /MetOcean and POST /2DMetOcean for clients of the standard.",
      },
      "/edr",
      metadataQuery,
      "EdrLanding",
    ),
  },
  (request, context) => {
    check(Object.fromEntries(request.query));
    return jsonReply(200, landingPage(baseOf(request, context)), cachedLinks(context));
  },
);

export const edrConformance = countedOperation(
  {
    route: "GET /edr/conformance",

    ...edrJsonDocs(
      { operationId: "getEdrConformance", summary: "Conformance classes" },
      "/edr/conformance",
      metadataQuery,
      "EdrConformance",
    ),
  },
  (request) => {
    check(Object.fromEntries(request.query));
    return jsonReply(200, conformance(), { "cache-control": "public, max-age=300" });
  },
);

/** GET /edr/api: the OpenAPI 3.0 document of the operations below /edr. It needs no key. */
export function edrApi(operations: () => readonly OperationDefinition[]): OperationDefinition {
  /**
   * Documents by the address that they contain; the service has one or two addresses. They are cached because making
   * one takes 20 ms.
   */
  const documents = new Map<string, Packed>();
  return countedOperation(
    {
      route: "GET /edr/api",

      operationId: "getEdrApi",
      summary: "OpenAPI 3.0 document of /edr",
      errors: "EdrError",
      replies: {
        "200": {
          description: "The document",
          content: { "application/vnd.oai.openapi+json": { schema: { type: "object" } } },
        },
      },
    },
    (request, context) => {
      const base = baseOf(request, context);
      let document = documents.get(base);
      if (document === undefined) {
        const below = operations().filter(({ path }) => path === "/edr" || path.startsWith("/edr/"));
        document = packed(JSON.stringify(openapiDocument30(context.version ?? "0", base, below)));
        // The limit bounds memory because callers choose the host name; dropped documents are made again.
        if (documents.size >= MAX_DOCUMENTS) documents.clear();
        documents.set(base, document);
      }
      return document.reply(request, { ...cachedLinks(context), "content-type": OPENAPI_3_0 });
    },
  );
}

const cached = { "cache-control": "private, max-age=30" };

/** Extents and runs of the demo are synthetic, too. */
const headersOf = (manifest: Manifest) => ({ ...cached, ...(isSynthetic(manifest) && syntheticHeader) });

export const edrCollectionList = readOperation(
  {
    route: "GET /edr/collections",

    query: metadataQuery,
    ...edrJsonDocs(
      { operationId: "getEdrCollections", summary: "Collections of data" },
      "/edr/collections",
      metadataQuery,
      "EdrCollections",
    ),
  },
  async ({ context, request }) => {
    const base = baseOf(request, context);
    const manifest = await context.archive.manifest();
    const now = context.weather.now();
    const collections = [
      ...edrCollections.map((collection) => described(base, { collection, manifest }, now)),
      ...edrCollections
        .map((collection) => collectionsOfModels(collection, manifest))
        .filter((models) => models.length > 1)
        .flatMap((models) => models.map((one) => described(base, one, now))),
      ...edrCollections.flatMap((collection) =>
        collectionsOfEnsembles(collection, manifest).map((one) => described(base, one, now)),
      ),
      describedTides(base),
      stormCollection(base),
    ];
    return jsonReply(200, { links: collectionLinks(base), collections }, headersOf(manifest));
  },
);

export const edrCollection = readOperation(
  {
    route: `GET ${collectionPath}`,

    query: metadataQuery,
    ...edrJsonDocs(
      { operationId: "getEdrCollection", summary: "A collection: its extent, parameters and queries" },
      collectionPath,
      metadataQuery,
      "EdrCollection",
    ),
  },
  async ({ context, request }) => {
    const base = baseOf(request, context);
    const storms = stormCollection(base);
    if (request.params.collection_id === storms.id) return jsonReply(200, storms, cached);
    if (request.params.collection_id === TIDES) return jsonReply(200, describedTides(base), cached);
    const found = collectionOf(request, await context.archive.manifest());
    return jsonReply(200, described(base, found, context.weather.now()), headersOf(found.manifest));
  },
);

export const edrInstances = readOperation(
  {
    route: `GET ${collectionPath}/instances`,

    query: metadataQuery,
    ...edrJsonDocs(
      {
        operationId: "getEdrInstances",
        summary: "The runs of a collection",
        description: "Newest first. Each run answers the queries of its collection from itself alone.",
      },
      collectionPath,
      metadataQuery,
      "EdrInstances",
    ),
  },
  async ({ context, request }) => {
    const base = baseOf(request, context);
    const { collection, manifest } = collectionOf(request, await context.archive.manifest());
    const self = `${base}/edr/collections/${collection.id}/instances`;
    const links = [{ href: self, rel: "self", type: "application/json", title: "This document" }];
    const runs = runsWith(manifest, collection.datasets, collection.variables);
    const instances = runs.map((run) => describedRun(base, collection, manifest, run));
    return jsonReply(200, { links, instances }, headersOf(manifest));
  },
);

export const edrInstance = readOperation(
  {
    route: `GET ${instancePath}`,

    query: metadataQuery,
    ...edrJsonDocs(
      { operationId: "getEdrInstance", summary: "A run of a collection" },
      instancePath,
      metadataQuery,
      "EdrCollection",
    ),
  },
  async ({ context, request }) => {
    const { collection, manifest } = collectionOf(request, await context.archive.manifest());
    const run = runOf(manifest, collection, request.params.instance_id!);
    return jsonReply(
      200,
      describedRun(baseOf(request, context), collection, manifest, run),
      headersOf(manifest),
    );
  },
);

function described(base: string, { collection, manifest }: FoundCollection, now: number) {
  const { datasets, variables } = collection;
  const extent = extentOf(manifest, collection, variables);
  const accepted = timesOfCollection(collection, now);
  // A collection that does not change with time is answered at every time.
  const times = isStatic(collection)
    ? accepted
    : {
        first: Math.max(accepted.first, Math.min(accepted.last, extent?.first ?? accepted.first)),
        last: Math.max(accepted.first, Math.min(accepted.last, extent?.last ?? accepted.last)),
      };
  const runs = runsWith(manifest, datasets, variables);
  return describeCollection(base, collection, {
    box: boxOfRuns(runs),
    times,
    steps: isStatic(collection) ? [] : stepsOf(runs, times),
    variables,
  });
}

function describedRun(base: string, collection: EdrCollection, manifest: Manifest, run: Run) {
  const variables = variablesOf(run, collection.variables);
  const times = isStatic(collection) ? undefined : extentOf(manifest, collection, variables, run);
  const title = `${run.model}, ${formatInstant(run.referenceTime)}`;
  return describeCollection(
    base,
    collectionOfRun(collection, run),
    { box: boxOfRuns([run]), times, steps: times ? stepsOf([run], times) : [], variables },
    { id: run.id, title },
  );
}

/** Times of runs within others, Unix seconds, ascending. */
function stepsOf(runs: readonly Run[], { first, last }: { first: number; last: number }): number[] {
  const steps = new Set(runs.flatMap(({ times }) => times));
  return [...steps].filter((time) => time >= first && time <= last).sort((a, b) => a - b);
}

const path = `/edr/collections/${ACTIVE_STORMS}/items`;

export const stormItems = readOperation(
  {
    route: `GET ${path}`,

    group: "storms",
    query: itemsQuery,
    operationId: "getEdrStormItems",
    summary: "Storms that are tracked now, as items",
    errors: "EdrError",
    parameters: queryParameters(itemsQuery),
    replies: edrAnswerIn(GEOJSON),
  },
  async ({ query, context, request }) => {
    const [box, { from, to }] = await readingQuery(() => [
      query.bbox === undefined ? undefined : readBbox(query.bbox),
      readDatetime(query.datetime),
    ]);
    return answerStorms(context, request, (all) => {
      const matched = all.filter((item) => {
        const time = parseInstant(item.properties.datetime);
        return time >= from && time <= to && (!box || isStormIn(item, box));
      });
      const end = query.offset + query.limit;
      const features = matched.slice(query.offset, end);
      const next = end < matched.length ? end : undefined;
      return {
        type: "FeatureCollection",
        links: stormItemLinks(baseOf(request, context), request.query, next),
        timeStamp: formatInstant(context.weather.now()),
        numberMatched: matched.length,
        numberReturned: features.length,
        features,
      };
    });
  },
);

export const stormItem = readOperation(
  {
    route: `GET ${path}/{item_id}`,

    group: "storms",
    query: metadataQuery,
    operationId: "getEdrStormItem",
    summary: "A storm that is tracked now",
    errors: "EdrError",
    parameters: [
      idParameter("item_id", { operationId: "getEdrStormItems", pointer: "/features/0/id" }),
      ...queryParameters(metadataQuery),
    ],
    replies: { ...edrAnswerIn(GEOJSON), "404": reply("No such storm", "EdrError") },
  },
  ({ context, request }) =>
    answerStorms(context, request, (all) => all.find(({ id }) => id === request.params.item_id)),
);

/** @param choose Makes the answer of all storms; undefined where there is none. */
async function answerStorms(
  context: Context,
  request: ApiRequest,
  choose: (all: StormItem[]) => object | undefined,
): Promise<Reply> {
  const published = await Promise.all(stormProviders.map((provider) => context.storms.published(provider)));
  const known = published.filter((one) => one !== undefined);
  // The reply is an error because an empty list would say that there are no storms.
  if (known.length === 0) return notYetReceived("any centre");
  const base = baseOf(request, context);
  const chosen = choose(known.flatMap(({ entries }) => stormFeatures(base, entries)));
  if (!chosen) return detailReply(404, "There is no such storm, or it is no longer tracked");
  return jsonReply(200, chosen, {
    "content-type": GEOJSON,
    "cache-control": "private, max-age=30",
    ...(known.some(({ synthetic }) => synthetic) && syntheticHeader),
  });
}
