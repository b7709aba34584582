import { type GribPacking, regularGrid } from "@open-metocean/grib2/message";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { type MapField, type MapOutput, valueOfEntry } from "#lib/field/map-field.ts";
import { gribMessages, statisticMessage } from "#lib/table/field-messages.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { componentName, heightOfComponent, type Origin } from "./table.ts";

const RADIANS = Math.PI / 180;

/** Longest lead of any forecast. A run with a longer one was composed of many. */
const LONGEST_LEAD_S = 20 * DAY_S;

/** Height of the wind of a 2D answer, metres. */
const HEIGHT = 10;

/**
 * Writes a box answer as GRIB2, one message per field, instant and member. Of statistics over members, mean and spread are
 * written. Vectors are written as components: those
 * of the answer, or else computed from its speeds and directions. The reference time of a message is the base
 * time of the run that answered most nodes, if it is known.
 *
 * @param rainSince Start of the interval before a valid time whose mean the rain is, both Unix seconds; undefined for
 * none. Without it rain is written as a rate at an instant.
 */
export function* mapGrib2(
  field: MapField,
  origin: Origin,
  packing: GribPacking,
  rainSince?: (time: number) => number | undefined,
): Generator<Uint8Array, void, undefined> {
  if (field.models && field.models.length > 1) throw new RangeError("GRIB2 does not name models");
  const grid = regularGrid(field.latitude, field.longitude);
  const outputs = new Map(field.outputs.map((output) => [output.name, output]));
  const windHeight = heightOf(field.outputs);
  const answer = { grid, windHeight, packing, synthetic: origin.synthetic === true };
  const nodes = field.latitude.length * field.longitude.length;
  const size = field.ensembleSize ?? 0;
  for (const [step, timestamp] of field.times.entries()) {
    const time = parseInstant(timestamp);
    const read = (name: string, layer = 0) => {
      const output = outputs.get(name);
      if (!output) return undefined;
      const at = layer * field.times.length + step;
      const entries = output.entries.subarray(at * nodes, (at + 1) * nodes);
      const values = new Float64Array(nodes);
      // Float64Array.from with a function takes many times as long.
      for (let node = 0; node < nodes; node++) values[node] = valueOfEntry(entries[node]!, output.decimals);
      return values;
    };
    for (const name of variableNames) {
      const referenceTime = referenceOf(origin, name, time);
      const meanSince = name === "rain" ? rainSince?.(time) : undefined;
      for (const [layer, member] of (field.members ?? [undefined]).entries()) {
        const columns = columnsOf(variable(name).outputs, windHeight, (output) => read(output, layer));
        if (columns.size === 0) continue;
        const ensemble = member === undefined ? undefined : { member, of: size };
        yield* gribMessages({ variable: name, time, columns, referenceTime, meanSince, ensemble }, answer);
      }
      for (const output of variable(name).outputs as readonly Output[])
        for (const statistic of ["mean", "spread"] as const) {
          const values = read(`${output.map2d ?? output.point}_${statistic}`);
          if (!values) continue;
          const part = { variable: name, time, referenceTime, ensemble: { statistic, of: size } };
          const message = statisticMessage(part, output, values, answer);
          if (message) yield message;
        }
    }
  }
}

/** Reconstructs the stored fields of a variable from the numbers of an answer. */
function columnsOf(
  outputs: readonly Output[],
  windHeight: number,
  read: (name: string) => Float64Array | undefined,
): Map<FieldName, Float64Array> {
  const columns = new Map<FieldName, Float64Array>();
  let bearing: { values: Float64Array; sense: 1 | -1 } | undefined;
  for (const output of outputs) {
    const [first, second] = output.of;
    const named = output.map2d ?? output.point;
    if (output.is === "value") {
      const values = read(named);
      if (values) columns.set(first, values);
    } else if (output.is === "bearing") {
      const values = read(named);
      if (!values) continue;
      columns.set(
        first,
        values.map((degrees) => Math.sin(degrees * RADIANS)),
      );
      columns.set(
        second!,
        values.map((degrees) => Math.cos(degrees * RADIANS)),
      );
    } else if (output.is === "speed") {
      const eastward = read(componentName(first, windHeight));
      const northward = second && read(componentName(second, windHeight));
      const speeds = read(named);
      if (eastward && northward) columns.set(first, eastward).set(second!, northward);
      else if (speeds && bearing) {
        const { values, sense } = bearing;
        // A calm has no direction; both components are 0.
        const along = (part: (radians: number) => number) =>
          speeds.map((speed, i) => (speed === 0 ? 0 : sense * speed * part(values[i]! * RADIANS)));
        columns.set(first, along(Math.sin)).set(second!, along(Math.cos));
      }
    } else {
      const values = read(named);
      if (values) bearing = { values, sense: output.is === "bearingTo" ? 1 : -1 };
    }
  }
  return columns;
}

function heightOf(outputs: readonly MapOutput[]): number {
  for (const { name } of outputs) {
    const height = heightOfComponent(name);
    if (height !== undefined) return height;
  }
  return HEIGHT;
}

/**
 * @param time Valid time, Unix seconds. @returns Base time of the run that answered most nodes, Unix seconds;
 * undefined if it is unknown.
 */
function referenceOf({ provenance = [] }: Origin, name: VariableName, time: number): number | undefined {
  let best: { reference: number; points: number } | undefined;
  for (const { variable, dataset, reference_time, valid_times = [], points = 0 } of provenance) {
    if (variable !== name || dataset !== "Forecast" || !reference_time) continue;
    const [first, last] = [valid_times[0], valid_times.at(-1)];
    if (
      first !== undefined &&
      last !== undefined &&
      (time < parseInstant(first) || time > parseInstant(last) + DAY_S)
    )
      continue;
    const reference = parseInstant(reference_time);
    if (time < reference || time - reference > LONGEST_LEAD_S) continue;
    if (!best || points > best.points) best = { reference, points };
  }
  return best?.reference;
}
