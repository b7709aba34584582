import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { blendSteps } from "#lib/field/interpolate.ts";
import type { Decimals } from "#lib/field/map-field.ts";
import {
  quantiseSpeeds,
  quantiseUnitBearings,
  quantiseValues,
  quantiseVectorBearings,
} from "#lib/field/round-field.ts";
import {
  arePackedAlike,
  entriesOfStored,
  type Packing,
  quantiseStoredSpeeds,
  quantiseStoredUnitBearings,
  quantiseStoredValues,
  quantiseStoredVectorBearings,
} from "#lib/field/round-stored-field.ts";
import type { Columns } from "#server/archive/read-variables.ts";
import type { BoxRow } from "./box-plan.ts";

/** A field of a run at an instant on the nodes of the answer, as stored. */
export interface GridStep {
  before: Int16Array;
  /** The step after the instant, if the instant lies between two. */
  after?: Int16Array;
  /** Weight of the later step. */
  later: number;
}

type GridSteps = ReadonlyMap<FieldName, GridStep>;

/** Nodes computed at a time: their columns stay in the processor's cache. */
const BLOCK = 8192;

/** Rounds nodes `from` … `to` of an output for the wire. @param out As long as the whole step, written. */
export function quantiseGrid(
  output: BoxRow,
  steps: GridSteps,
  from: number,
  to: number,
  out: Uint16Array,
): void {
  if (quantiseStored(output, steps, from, to, out)) return;
  const names: FieldName[] = [...output.of, ...(output.is === "bearing" ? [output.magnitude] : [])];
  const columns = new Map(names.map((name) => [name, new Float64Array(Math.min(BLOCK, to - from))]));
  for (let at = from; at < to; at += BLOCK) {
    const count = Math.min(BLOCK, to - at);
    for (const [name, column] of columns) {
      const part = count === column.length ? column : column.subarray(0, count);
      columns.set(name, part);
      unpack(fields[name], steps.get(name)!, at, part);
    }
    quantise(output, columns, out.subarray(at, at + count));
  }
}

/** Rounds numbers for the wire. @param columns NaN = missing. @param out As long as the columns, written. */
export function quantise(output: BoxRow, columns: Columns, out: Uint16Array): void {
  const column = (name: FieldName | undefined) => columns.get(name!)!;
  const [a, b] = output.of;
  if (output.is === "value") quantiseValues(column(a), output.decimals, out);
  else if (output.is === "speed") quantiseSpeeds(column(a), column(b), out);
  else if (output.is === "bearing") quantiseUnitBearings(column(a), column(b), column(output.magnitude), out);
  else quantiseVectorBearings(column(a), column(b), output.is === "bearingTo" ? 1 : -1, out);
}

/** Quantises stored integers directly, which only works at a stored step. @returns Whether it did. */
function quantiseStored(
  output: BoxRow,
  steps: GridSteps,
  from: number,
  to: number,
  whole: Uint16Array,
): boolean {
  const storedOf = (name: FieldName) => steps.get(name)!.before.subarray(from, to);
  const [a, b] = output.of;
  const names: FieldName[] = [...output.of, ...(output.is === "bearing" ? [output.magnitude] : [])];
  if (names.some((name) => steps.get(name)!.after)) return false;
  const out = whole.subarray(from, to);
  if (output.is === "value") {
    quantiseStoredValues(storedOf(a), entryTable(a, output.decimals), out);
    return true;
  }
  if (!b || !arePackedAlike(fields[a], fields[b])) return false;
  const { scale } = fields[a];
  const [x, y] = [storedOf(a), storedOf(b)];
  if (output.is === "speed") quantiseStoredSpeeds(x, y, scale, out);
  else if (output.is === "bearing")
    quantiseStoredUnitBearings(x, y, storedOf(output.magnitude), entryTable(output.magnitude, 2), out);
  else quantiseStoredVectorBearings(x, y, scale, output.is === "bearingTo" ? 1 : -1, out);
  return true;
}

const tables = new Map<string, Uint16Array>();

function entryTable(name: FieldName, decimals: Decimals): Uint16Array {
  const key = `${name},${decimals}`;
  const table = tables.get(key) ?? entriesOfStored(fields[name], decimals);
  tables.set(key, table);
  return table;
}

/** Numbers from node `from` on, blended in time; NaN = missing. */
export function unpack(
  { scale, offset }: Packing,
  { before, after, later }: GridStep,
  from: number,
  out: Float64Array,
): void {
  for (let i = 0; i < out.length; i++) {
    const a = before[from + i]!;
    const value = a === FILL ? Number.NaN : a * scale + offset;
    if (!after) {
      out[i] = value;
      continue;
    }
    const b = after[from + i]!;
    out[i] = blendSteps(value, b === FILL ? Number.NaN : b * scale + offset, later);
  }
}
