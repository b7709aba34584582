import { metadataQuery } from "#lib/contract/edr.ts";
import { type EdrCollection, edrCollections, isStatic, timesOfCollection } from "#lib/edr/collections.ts";
import { collectionLinks, describeCollection } from "#lib/edr/metadata.ts";
import { stormCollection } from "#lib/edr/storm-items.ts";
import { formatInstant } from "#lib/time.ts";
import { isSynthetic, type Manifest, type Run } from "#server/archive/run.ts";
import { jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { boxOfRuns, runsWith, variablesOf } from "#server/metocean/one-run.ts";
import { readOperation } from "./definition.ts";
import { baseOf } from "./edr-base.ts";
import { collectionPath, edrJsonDocs, instancePath } from "./edr-docs.ts";
import { collectionOf, extentOf, runOf } from "./edr-question.ts";

const cached = { "cache-control": "private, max-age=30" };

/** Extents and runs of the demo are synthetic, too. */
const headersOf = (manifest: Manifest) => ({ ...cached, ...(isSynthetic(manifest) && syntheticHeader) });

/** GET /edr/collections. */
export const edrCollectionList = readOperation(
  {
    method: "GET",
    path: "/edr/collections",
    group: "tasks",
    query: metadataQuery,
    docs: edrJsonDocs(
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
      ...edrCollections.map((collection) => described(base, collection, manifest, now)),
      stormCollection(base),
    ];
    return jsonReply(200, { links: collectionLinks(base), collections }, headersOf(manifest));
  },
);

/** GET /edr/collections/{collection_id}. */
export const edrCollection = readOperation(
  {
    method: "GET",
    path: collectionPath,
    group: "tasks",
    query: metadataQuery,
    docs: edrJsonDocs(
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
    const collection = collectionOf(request);
    const manifest = await context.archive.manifest();
    return jsonReply(200, described(base, collection, manifest, context.weather.now()), headersOf(manifest));
  },
);

/** GET …/instances: the runs of a collection, newest first. */
export const edrInstances = readOperation(
  {
    method: "GET",
    path: `${collectionPath}/instances`,
    group: "tasks",
    query: metadataQuery,
    docs: edrJsonDocs(
      {
        operationId: "getEdrInstances",
        summary: "The runs of a collection",
        description: "Newest first. Each answers the queries of its collection from itself alone.",
      },
      collectionPath,
      metadataQuery,
      "EdrInstances",
    ),
  },
  async ({ context, request }) => {
    const base = baseOf(request, context);
    const collection = collectionOf(request);
    const manifest = await context.archive.manifest();
    const self = `${base}/edr/collections/${collection.id}/instances`;
    const links = [{ href: self, rel: "self", type: "application/json", title: "This document" }];
    const runs = runsWith(manifest, collection.datasets, collection.variables);
    const instances = runs.map((run) => describedRun(base, collection, manifest, run));
    return jsonReply(200, { links, instances }, headersOf(manifest));
  },
);

/** GET …/instances/{instance_id}. */
export const edrInstance = readOperation(
  {
    method: "GET",
    path: instancePath,
    group: "tasks",
    query: metadataQuery,
    docs: edrJsonDocs(
      { operationId: "getEdrInstance", summary: "A run of a collection" },
      instancePath,
      metadataQuery,
      "EdrCollection",
    ),
  },
  async ({ context, request }) => {
    const collection = collectionOf(request);
    const manifest = await context.archive.manifest();
    const run = runOf(manifest, collection, request.params.instance_id!);
    return jsonReply(
      200,
      describedRun(baseOf(request, context), collection, manifest, run),
      headersOf(manifest),
    );
  },
);

function described(base: string, collection: EdrCollection, manifest: Manifest, now: number) {
  const { datasets, variables } = collection;
  const extent = extentOf(manifest, collection, variables);
  const accepted = timesOfCollection(collection, now);
  // What does not change with time is answered at every time.
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
    collection,
    { box: boxOfRuns([run]), times, steps: times ? stepsOf([run], times) : [], variables },
    { id: run.id, title },
  );
}

/** Times of runs within others, Unix seconds, ascending. */
function stepsOf(runs: readonly Run[], { first, last }: { first: number; last: number }): number[] {
  const steps = new Set(runs.flatMap(({ times }) => times));
  return [...steps].filter((time) => time >= first && time <= last).sort((a, b) => a - b);
}
