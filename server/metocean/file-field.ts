import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { MapMeta } from "#lib/contract/map2d.ts";
import { type MapField, type MapOutput, NULL_ENTRY } from "#lib/field/map-field.ts";
import { quantiseValues } from "#lib/field/round-field.ts";
import { componentName, componentOf } from "#lib/table/components.ts";
import { formatInstant } from "#lib/time.ts";
import { turns } from "#server/platform/next-turn.ts";
import { addProvenance, boxName } from "./box.ts";
import type { BoxPlan } from "./box-plan.ts";
import { type BoxRead, readBoxParts } from "./box-read.ts";
import { quantise } from "./grid-step.ts";
import { joinMapMeta, MapProvenance } from "./meta.ts";
import type { Columns } from "./output-values.ts";

/** One field of a file. */
export interface FileOutput extends Omit<MapOutput, "entries" | "texts"> {
  variable: VariableName;
  /** Missing where there is no data, and nowhere else: a direction is also missing in a calm. */
  isMeasured: boolean;
  /** Rounds one step. */
  write(columns: Columns, out: Uint16Array): void;
}

/**
 * The fields of a file of variables: their outputs as in answers for boxes, or, with `components`, the components of vectors
 * in place of speed and direction, rounded from what is stored.
 */
export function fileOutputs(
  variables: readonly VariableName[],
  components: boolean,
  windHeight: number,
): FileOutput[] {
  return variables.flatMap((name) => {
    const { outputs } = variable(name);
    const vector = outputs.find(({ is }) => is === "speed");
    if (!components || !vector) return outputs.map((output) => ordinary(name, output));
    return vector.of.map((field) => component(name, field, windHeight));
  });
}

function ordinary(name: VariableName, output: Output): FileOutput {
  const { unit, decimals, title, is } = output;
  return {
    variable: name,
    name: boxName(output),
    unit,
    decimals,
    title,
    isMeasured: is === "value" || is === "speed",
    write: (columns, out) => quantise(output, columns, out),
  };
}

function component(variable: VariableName, field: FieldName, windHeight: number): FileOutput {
  const name = componentName(field, windHeight);
  const { unit, title, decimals } = componentOf(name)!;
  return {
    ...{ variable, name, unit, title, decimals, isMeasured: true },
    write: (columns, out) => quantiseValues(columns.get(field)!, decimals, out),
  };
}

/** Nodes of a plan that are part of the answer, by position. */
export type NodeMask = (node: number) => boolean;

/** Reads steps of a plan. @param from First step; `to` is the one after the last. */
export async function readFileSteps(
  read: BoxRead,
  outputs: readonly FileOutput[],
  mask: NodeMask | undefined,
  from: number,
  to: number,
): Promise<{ field: MapField; meta: MapMeta }> {
  const { plan } = read;
  const { latitude, longitude } = plan;
  const times = plan.times.slice(from, to);
  const nodes = latitude.length * longitude.length;
  const written = outputs.map((output) => ({ ...output, entries: new Uint16Array(times.length * nodes) }));
  let meta: MapMeta = { provenance: [], nulls: [] };
  for (const name of plan.variables) {
    const own = written.filter((output) => output.variable === name);
    const counted = own.filter(({ isMeasured }) => isMeasured);
    const provenance = new MapProvenance({
      variable: name,
      outputs: counted.map(() => ({ is: "value" })),
      windHeight: plan.windHeight,
      now: read.now,
    });
    let step = 0;
    for await (const part of readBoxParts(read, name, times)) {
      for (const { write, entries } of own) {
        const out = entries.subarray(step * nodes, (step + 1) * nodes);
        write(part.columns, out);
        if (mask) for (let node = 0; node < nodes; node++) if (!mask(node)) out[node] = NULL_ENTRY;
      }
      addProvenance(provenance, part);
      step++;
    }
    meta = joinMapMeta(meta, provenance.meta({ outputs: counted }));
  }
  const field = { latitude, longitude, times: times.map(formatInstant), isRange: true };
  return {
    field: {
      ...field,
      outputs: written.map(({ name, unit, decimals, title, entries }) => ({
        name,
        unit,
        decimals,
        title,
        entries,
      })),
    },
    meta,
  };
}

/** The nodes of a plan for which a condition holds. */
export async function maskOf(
  { latitude, longitude }: Pick<BoxPlan, "latitude" | "longitude">,
  contains: (place: { latitude: number; longitude: number }) => boolean,
  signal: AbortSignal,
): Promise<NodeMask> {
  const width = longitude.length;
  const inside = new Uint8Array(latitude.length * width);
  const turn = turns(signal);
  for (const [row, lat] of latitude.entries()) {
    for (const [column, lon] of longitude.entries())
      inside[row * width + column] = contains({ latitude: lat, longitude: lon }) ? 1 : 0;
    await turn();
  }
  return (node) => inside[node] === 1;
}
