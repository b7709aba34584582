import {
  type EnsemblePart,
  type GribPacking,
  gribMessage,
  HEAD_OCTETS,
  onRegularGrid,
  type RegularGrid,
} from "@open-metocean/grib2/message";
import { bitsFor, type CodedValues, codedValues } from "@open-metocean/grib2/packing";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type Grib2Row, grib2Speeds } from "#lib/catalog/grib2.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { bearingTo } from "#lib/field/vector.ts";

/** One variable at one instant. */
interface GribPart {
  variable: VariableName;
  /** Valid time, Unix seconds. */
  time: number;
  /**
   * Stored fields in the units of the archive, (rows, columns) row-major, south to north; NaN = missing. A
   * GRIB2 field that needs a field missing here is left out.
   */
  columns: ReadonlyMap<FieldName, Float64Array>;
  /**
   * Base time of the run that answered most nodes, Unix seconds; undefined if it is unknown or if the answer
   * does not come from a single run.
   */
  referenceTime: number | undefined;
  /** Start of the interval whose mean the fields are, Unix seconds; undefined for fields at an instant. */
  meanSince?: number | undefined;
  /** Member of an ensemble whose forecast it is, or statistic over members. */
  ensemble?: EnsemblePart | undefined;
}

/** Properties shared by the messages of an answer. */
interface GribAnswer {
  grid: RegularGrid;
  /** Height of the wind, metres. */
  windHeight: number;
  packing: GribPacking;
  synthetic: boolean;
}

/** The GRIB2 fields of a variable; empty for a variable without a parameter. */
function gribRowsOf(name: VariableName): readonly Grib2Row<FieldName>[] {
  const rows = variable(name).grib2;
  return typeof rows === "string" ? [] : rows;
}

/** The messages of one variable at one instant, one per field. */
export function* gribMessages(
  part: GribPart,
  { grid, windHeight, packing, synthetic }: GribAnswer,
): Generator<Uint8Array, void, undefined> {
  const { meanSince: since, ensemble } = part;
  for (const row of gribRowsOf(part.variable)) {
    const { discipline, category, number, surface, from } = row;
    const needed = from.is === "value" ? [from.of] : [...from.of, from.magnitude];
    if (!needed.every((field) => part.columns.has(field))) continue;
    const isForecast = part.referenceTime !== undefined && part.referenceTime <= part.time;
    yield gribMessage(
      {
        discipline,
        category,
        number,
        surface: surface === "atHeight" ? { type: 103, value: windHeight } : surface,
        grid,
        referenceTime: isForecast ? part.referenceTime : undefined,
        validTime: part.time,
        ensemble,
        meanSince: isForecast && since !== undefined && since >= part.referenceTime! ? since : undefined,
        synthetic,
        values: valuesOf(row, part.columns, grid),
      },
      packing,
    );
  }
}

/**
 * The message of a statistic over members of a speed or a value; undefined if the output has no parameter.
 *
 * @param values In the unit of the output, (rows, columns) row-major, south to north; NaN = missing.
 */
export function statisticMessage(
  { variable: name, time, referenceTime, ensemble }: Omit<GribPart, "columns" | "meanSince">,
  { is, of }: Output,
  values: Float64Array,
  { grid, windHeight, packing, synthetic }: GribAnswer,
): Uint8Array | undefined {
  const isOfOutput = ({ from }: Grib2Row<FieldName>) => from.is === "value" && from.of === of[0];
  const own = is === "value" ? gribRowsOf(name).find(isOfOutput) : undefined;
  const row = own ?? (is === "speed" ? grib2Speeds[name] : undefined);
  if (!row) return undefined;
  const { discipline, category, number, surface, decimals } = row;
  const { factor = 1, offset = 0 } = own?.from.is === "value" ? own.from : {};
  const isSpread = ensemble && "statistic" in ensemble && ensemble.statistic === "spread";
  const placed = onRegularGrid(grid, values);
  return gribMessage(
    {
      discipline,
      category,
      number,
      surface: surface === "atHeight" ? { type: 103, value: windHeight } : surface,
      grid,
      referenceTime: referenceTime !== undefined && referenceTime <= time ? referenceTime : undefined,
      validTime: time,
      ensemble,
      synthetic,
      values: codedValues(placed, grid.columns, decimals, factor, isSpread ? 0 : offset),
    },
    packing,
  );
}

function valuesOf(
  { from, decimals }: Grib2Row<FieldName>,
  columns: ReadonlyMap<FieldName, Float64Array>,
  grid: RegularGrid,
): CodedValues {
  if (from.is === "value") {
    const values = onRegularGrid(grid, columns.get(from.of)!);
    return codedValues(values, grid.columns, decimals, from.factor, from.offset);
  }
  const [x, y] = from.of.map((name) => columns.get(name)!);
  const height = columns.get(from.magnitude)!;
  // As in answers, there is no direction where the height rounds to 0.
  const bearings = x!.map((value, i) =>
    rounded(height[i]!, 2) === 0 ? Number.NaN : (roundedBearing(bearingTo(value, y![i]!)) ?? Number.NaN),
  );
  return codedValues(onRegularGrid(grid, bearings), grid.columns, decimals);
}

/** Approximate size of complex packing relative to simple packing, for a typical field. */
const COMPLEX_SHARE = 0.55;

/**
 * Approximate number of octets of the messages of variables at one instant. @param nodes Points of the grid.
 */
export function estimatedOctets(
  variables: readonly VariableName[],
  nodes: number,
  packing: GribPacking,
): number {
  let octets = 0;
  for (const { span, decimals } of variables.flatMap(gribRowsOf)) {
    const bits = bitsFor(span * 10 ** decimals) * (packing === "simple" ? 1 : COMPLEX_SHARE);
    octets += HEAD_OCTETS + Math.ceil((nodes * bits) / 8);
  }
  return octets;
}
