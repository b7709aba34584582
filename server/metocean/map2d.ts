import type { MapMeta, MapRequest } from "#lib/contract/map2d.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { mapParts, mapPieces } from "#lib/field/serialise.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";
import { type MapPlan, planMap } from "./map-plan.ts";
import { type MapSource, readField } from "./map-read.ts";
import { type Aged, MapProvenance } from "./meta.ts";
import type { StepCache } from "./step-cache.ts";

export interface MapAnswer {
  /** The field, for other formats than JSON. */
  field: MapField;
  /** The list of results as JSON, written piece by piece; with cached steps also in parts that are already compressed. */
  results: {
    pieces(): Iterable<Uint8Array>;
    deflated?(): AsyncIterable<Uint8Array | DeflatedPart>;
  };
  meta?: MapMeta;
  /** How old the forecasts are. */
  ages?: readonly Aged[];
  /** The numbers are invented: see `Run.provenance`. */
  synthetic?: boolean;
}

/** How many values an answer has, and of what. */
export interface MapSize {
  steps: number;
  rows: number;
  columns: number;
  fields: number;
  /** The product. */
  values: number;
}

/** The answer would have more values than one request may ask for. */
export class MapTooLargeError extends ProcessingError {
  override readonly name = "MapTooLargeError";
  readonly values: number;
  readonly max: number;
  constructor({ steps, rows, columns, fields, values }: MapSize, { max, instead }: MapSizeLimit) {
    const parts = Math.ceil(values / max);
    const how = steps >= parts ? `ranges of ${Math.floor(steps / parts)} steps` : `${parts} boxes`;
    super(
      `The box holds ${values} values (${steps} steps × ${rows} rows × ${columns} columns × ` +
        `${fields} fields), and at most ${max} are answered at once: ask for ${how} or less, ${instead}`,
    );
    this.values = values;
    this.max = max;
  }
}

/** How many values a 2D answer may have. */
export interface MapSizeLimit {
  max: number;
  /** Alternative that the error message suggests. */
  instead: string;
}

/** How many values the answer of a 2D request will have. Throws `MapTooLargeError`. */
export function sizeOfMap(source: MapSource, request: MapRequest, now: number, limit: MapSizeLimit) {
  return withManifest(source, (manifest) => planMapWithin(manifest, request, now, limit).values);
}

/** Plans a 2D answer. Throws `MapTooLargeError`. */
export function planMapWithin(
  manifest: Manifest,
  request: MapRequest,
  now: number,
  limit: MapSizeLimit,
): MapPlan {
  const plan = planMap(manifest, request, now);
  const { steps, window, outputs, values } = plan;
  const size = { rows: window.rows, columns: window.columns.length, fields: outputs.length, values };
  if (values > limit.max) throw new MapTooLargeError({ steps: steps.length, ...size }, limit);
  return plan;
}

/**
 * Answers a 2D request. Throws `MapTooLargeError` before anything is read.
 *
 * A node's number is that of a point at the same place and time: the same choice of run, sampler and rounding.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export function answerMap(
  source: MapSource,
  request: MapRequest,
  now: number,
  limit: MapSizeLimit,
  signal: AbortSignal,
): Promise<MapAnswer> {
  return withManifest(source, async (manifest) => {
    const plan = planMapWithin(manifest, request, now, limit);
    const provenance = new MapProvenance({ ...plan, now });
    const field = await readField({ source, manifest, plan, now, provenance, signal });
    const meta = request.include_meta ? provenance.meta(field) : undefined;
    const { stepCache } = source;
    const written = field.outputs.some(({ texts }) => texts?.some((text) => text !== undefined));
    const results = {
      pieces: () => mapPieces(field),
      deflated: written && stepCache ? () => deflatedParts(field, stepCache) : undefined,
    };
    return { field, results, meta, ages: provenance.runs(), synthetic: isSynthetic(manifest) };
  });
}

/** Consecutive steps of a plan. */
export interface MapSteps {
  field: MapField;
  /** Describes these steps. */
  meta(): MapMeta;
}

/**
 * Reads the steps `from` to before `to` of a plan.
 *
 * @param manifest From which it was planned. Throws `ObjectMissingError` if a run of it was replaced and is gone.
 */
export async function readSteps(
  source: MapSource,
  manifest: Manifest,
  whole: MapPlan,
  from: number,
  to: number,
  now: number,
  signal: AbortSignal,
): Promise<MapSteps> {
  const plan = { ...whole, steps: whole.steps.slice(from, to) };
  const provenance = new MapProvenance({ ...plan, now });
  const field = await readField({ source, manifest, plan, now, provenance, signal });
  return { field, meta: () => provenance.meta(field) };
}

async function* deflatedParts(
  field: MapField,
  cache: StepCache,
): AsyncGenerator<Uint8Array | DeflatedPart, void, undefined> {
  for (const part of mapParts(field)) yield part instanceof Uint8Array ? part : await cache.deflated(part);
}
