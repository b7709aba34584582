import { type Output, variable } from "#lib/catalog/variables.ts";
import type { MapMeta } from "#lib/contract/map2d.ts";
import type { MapField, MapOutput } from "#lib/field/map-field.ts";
import { formatInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { type BoxPlan, type BoxQuestion, planBox } from "./box-plan.ts";
import { type BoxPart, readBoxParts } from "./box-read.ts";
import { quantise } from "./grid-step.ts";
import type { MapSource } from "./map-read.ts";
import { type MapSizeLimit, MapTooLargeError } from "./map2d.ts";
import { joinMapMeta, MapProvenance } from "./meta.ts";

/** The answer to a box of any variables. */
export interface BoxAnswer {
  /** Always with a time axis. Outputs have their names in 2D answers, and those of points where they have none. */
  field: MapField;
  meta: MapMeta;
  /** The numbers are invented: see `Run.provenance`. */
  synthetic: boolean;
}

/** Plans a box. Throws `MapTooLargeError`. @param now Weather clock, Unix seconds. */
export function planBoxWithin(
  manifest: Manifest,
  question: BoxQuestion,
  now: number,
  limit: MapSizeLimit,
): BoxPlan {
  const plan = planBox(manifest, question, now);
  const { values, times, latitude, longitude } = plan;
  const [steps, rows, columns] = [times.length, latitude.length, longitude.length];
  const fields = values / (steps * rows * columns);
  if (values > limit.max) throw new MapTooLargeError({ steps, rows, columns, fields, values }, limit);
  return plan;
}

/** The plan of a box, with the manifest in force. Throws `MapTooLargeError`. @param now Weather clock, Unix seconds. */
export function sizeOfBox(
  source: MapSource,
  question: BoxQuestion,
  now: number,
  limit: MapSizeLimit,
): Promise<BoxPlan> {
  return withManifest(source, async (manifest) => planBoxWithin(manifest, question, now, limit));
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
  limit: MapSizeLimit,
  signal: AbortSignal,
): Promise<BoxAnswer> {
  return withManifest(source, async (manifest) => {
    const plan = planBoxWithin(manifest, question, now, limit);
    const { times, latitude, longitude } = plan;
    const nodes = latitude.length * longitude.length;
    const outputs: MapOutput[] = [];
    let meta: MapMeta | undefined;
    for (const name of plan.variables) {
      const rows = variable(name).outputs;
      const own = rows.map((row) => emptyOutput(row, times.length * nodes));
      const provenance = new MapProvenance({
        variable: name,
        outputs: rows,
        windHeight: plan.windHeight,
        now,
      });
      let step = 0;
      for await (const part of readBoxParts({ source, manifest, plan, now, signal }, name, times)) {
        for (const [i, row] of rows.entries())
          quantise(row, part.columns, own[i]!.entries.subarray(step * nodes, (step + 1) * nodes));
        addProvenance(provenance, part);
        step++;
      }
      outputs.push(...own);
      const described = provenance.meta({ outputs: own });
      meta = meta ? joinMapMeta(meta, described) : described;
    }
    const field = { latitude, longitude, times: times.map(formatInstant), isRange: true, outputs };
    return { field, meta: meta ?? { provenance: [], nulls: [] }, synthetic: isSynthetic(manifest) };
  });
}

/** Name of an output in answers for boxes. */
export function boxName({ map2d, point }: Output): string {
  return map2d ?? point;
}

function emptyOutput(output: Output, values: number): MapOutput {
  const { unit, decimals, title } = output;
  return { name: boxName(output), unit, decimals, title, entries: new Uint16Array(values) };
}

/** Counts which runs answered a part. */
export function addProvenance(provenance: MapProvenance, { time, runs, unanswered }: BoxPart): void {
  for (const [run, nodes] of runs) provenance.add(run, time, nodes);
  for (const [reason, nodes] of unanswered) provenance.addUnanswered(reason, nodes);
}
