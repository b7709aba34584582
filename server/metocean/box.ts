import type { MapMeta } from "#lib/contract/map2d.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { mapParts, mapPieces } from "#lib/field/serialise.ts";
import { withManifest } from "#server/archive/catalog.ts";
import type { Aged } from "#server/archive/describe-run.ts";
import { isSynthetic } from "#server/archive/run.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";
import { turns } from "#server/platform/next-turn.ts";
import { type BoxPlan, type BoxQuestion, type MapSizeLimit, planBox } from "./box-plan.ts";
import type { StepCache } from "./box-read.ts";
import { type MapSource, type NodeMask, readBox } from "./box-read.ts";

/** The answer to a box. */
export interface MapAnswer {
  /** The field, for other formats than JSON. */
  field: MapField;
  /** The list of results as JSON, written piece by piece; with cached steps also in parts that are already compressed. */
  results: {
    pieces(): Iterable<Uint8Array>;
    deflated?(): AsyncIterable<Uint8Array | DeflatedPart>;
  };
  meta?: MapMeta;
  /** Ages of the forecasts. */
  ages?: readonly Aged[];
  /** The numbers are invented: see `Run.provenance`. */
  synthetic?: boolean;
}

/** Returns the mask of the nodes that have numbers. */
export type MaskOf = (
  nodes: Pick<BoxPlan, "latitude" | "longitude">,
  signal: AbortSignal,
) => NodeMask | Promise<NodeMask>;

/** Options of an answer. */
export interface BoxOptions {
  limit: MapSizeLimit;
  /** Nodes outside the mask are null. */
  maskOf?: MaskOf | undefined;
  /** Whether the answer is sent as JSON, for which steps are cached. */
  isJson?: boolean;
  include_meta: boolean;
}

/** Plans a box from the current manifest. Throws `MapTooLargeError`. @param now Weather clock, Unix seconds. */
export function planOfBox(
  source: MapSource,
  question: BoxQuestion,
  now: number,
  limit: MapSizeLimit,
): Promise<BoxPlan> {
  return withManifest(source, (manifest) => planBox(manifest, question, now, limit));
}

/**
 * Answers a box of any variables of the catalog, on one grid and one set of instants. Throws `MapTooLargeError` before
 * anything is read.
 *
 * A node's number is that of a point at the same place and time: the same choice of run, sampler and rounding.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export function answerBox(
  source: MapSource,
  question: BoxQuestion,
  now: number,
  signal: AbortSignal,
  { limit, maskOf, isJson, include_meta }: BoxOptions,
): Promise<MapAnswer> {
  return withManifest(source, async (manifest) => {
    const plan = planBox(manifest, question, now, limit);
    const mask = await maskOf?.(plan, signal);
    const cache = isJson ? source.stepCache : undefined;
    const { field, meta, runs } = await readBox({ source, plan, now, signal, mask, cache });
    const written = field.outputs.some(({ texts }) => texts?.some((text) => text !== undefined));
    const results = {
      pieces: () => mapPieces(field),
      deflated: written && cache ? () => deflatedParts(field, cache) : undefined,
    };
    return {
      field,
      results,
      meta: include_meta ? meta() : undefined,
      ages: runs(),
      synthetic: isSynthetic(manifest),
    };
  });
}

async function* deflatedParts(
  field: MapField,
  cache: StepCache,
): AsyncGenerator<Uint8Array | DeflatedPart, void, undefined> {
  for (const part of mapParts(field)) yield part instanceof Uint8Array ? part : await cache.deflated(part);
}

/** Masks the nodes of a plan for which a condition holds. */
export const nodesWhere =
  (contains: (place: { latitude: number; longitude: number }) => boolean): MaskOf =>
  async ({ latitude, longitude }, signal) => {
    const width = longitude.length;
    const inside = new Uint8Array(latitude.length * width);
    const turn = turns(signal);
    for (const [row, lat] of latitude.entries()) {
      for (const [column, lon] of longitude.entries())
        inside[row * width + column] = contains({ latitude: lat, longitude: lon }) ? 1 : 0;
      await turn();
    }
    return (node) => inside[node] === 1;
  };
