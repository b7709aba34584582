import type { MapMeta, MapRequest } from "#lib/contract/map2d.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { mapParts, mapPieces } from "#lib/field/serialise.ts";
import { withManifest } from "#server/archive/catalog.ts";
import type { Manifest } from "#server/archive/run.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";
import { MapAccount } from "./map-meta.ts";
import { type MapPlan, planMap } from "./map-plan.ts";
import { type MapSource, readField } from "./map-read.ts";
import type { StepCache } from "./step-cache.ts";

export interface MapAnswer {
  /** The field, for other formats than JSON. */
  field: MapField;
  /** The list of results as JSON, written piece by piece; where steps are kept, also as they are compressed already. */
  results: {
    pieces(progress?: (share: number) => void): Iterable<Uint8Array>;
    deflated?(): AsyncIterable<Uint8Array | DeflatedPart>;
  };
  meta?: MapMeta;
  /** The numbers are invented: they come from the demo world. */
  synthetic?: boolean;
}

/** The answer would hold more numbers than may be asked for at once. */
export class MapTooLargeError extends ProcessingError {
  override readonly name = "MapTooLargeError";
  readonly values: number;
  readonly most: number;
  constructor(plan: MapPlan, most: number, instead: string) {
    const { steps, window, outputs, values } = plan;
    const parts = Math.ceil(values / most);
    const how =
      steps.length >= parts ? `ranges of ${Math.floor(steps.length / parts)} steps` : `${parts} boxes`;
    super(
      `The box holds ${values} values (${steps.length} steps × ${window.rows} rows × ${window.columns.length} columns × ` +
        `${outputs.length} fields), and at most ${most} are answered at once: ask for ${how} or less, ${instead}`,
    );
    this.values = values;
    this.most = most;
  }
}

/** How much a 2D answer may hold. */
export interface MapRoom {
  /** Values. */
  most: number;
  /** What else to ask for, for the message. */
  instead: string;
}

/** How many values the answer of a 2D request will hold. Throws `MapTooLargeError`. */
export function sizeOfMap(source: MapSource, request: MapRequest, now: number, room: MapRoom) {
  return withManifest(source, (manifest) => planWithin(manifest, request, now, room).values);
}

function planWithin(
  manifest: Manifest,
  request: MapRequest,
  now: number,
  { most, instead }: MapRoom,
): MapPlan {
  const plan = planMap(manifest, request, now);
  if (plan.values > most) throw new MapTooLargeError(plan, most, instead);
  return plan;
}

/**
 * Answers a 2D request. Throws `MapTooLargeError` before anything is read.
 *
 * A node's number is that of a point at the same place and time: the same choice of run, sampler and rounding.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 * @param progress Told how much is read, 0 to 1, after each instant.
 */
export function answerMap(
  source: MapSource,
  request: MapRequest,
  now: number,
  room: MapRoom,
  signal: AbortSignal,
  progress?: (share: number) => void,
): Promise<MapAnswer> {
  return withManifest(source, async (manifest) => {
    const plan = planWithin(manifest, request, now, room);
    const account = new MapAccount(plan);
    const field = await readField({ source, manifest, plan, now, account, signal, progress });
    const meta = request.include_meta ? account.meta(field) : undefined;
    const { keptSteps } = source;
    const written = field.outputs.some(({ texts }) => texts?.some((text) => text !== undefined));
    const results = {
      pieces: (progress?: (share: number) => void) => mapPieces(field, progress),
      deflated: written && keptSteps ? () => deflatedParts(field, keptSteps) : undefined,
    };
    return { field, results, meta, synthetic: manifest.synthetic };
  });
}

async function* deflatedParts(
  field: MapField,
  kept: StepCache,
): AsyncGenerator<Uint8Array | DeflatedPart, void, undefined> {
  for (const part of mapParts(field)) yield part instanceof Uint8Array ? part : await kept.deflated(part);
}
