import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { climatologyOf } from "./climatology.ts";

/** What is compared between one run and the next, of one step of a field. */
export interface StepStatistics {
  /** Share of missing values, 0 … 1. */
  missing: number;
  /** The same in each of the boxes of `boxesOf`, in thousandths; absent where nothing or everything is missing. */
  mask?: number[];
  /** Of the values that are there, each cell counted alike. */
  mean: number;
  deviation: number;
}

/** A mean may move by this many standard deviations from run to run; the deviation by this factor. */
const MEAN_JUMP = 0.5;
const SPREAD_JUMP = 3;

/** Change of the share of missing values that is no damage: partitions of waves come and go with the wind. */
const MASK_CHANGE = 0.03;
const PARTITION_CHANGE = 0.5;

/** Boxes of equal numbers of rows and columns in which missing values are counted: of 30° × 45° on the globe. */
const BANDS = 6;
const SECTORS = 8;
/** Change of the share of missing values of one box that is no damage: ice, which comes and goes slowly. */
const BOX_CHANGE = 0.25;

/** @param values Catalog's unit, NaN = missing; (rows, columns). */
export function statisticsOf(values: Float32Array, columns: number): StepStatistics {
  let count = 0;
  let sum = 0;
  let squares = 0;
  // Around the first value, so that the sum of squares of a pressure loses nothing.
  let origin = Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (count++ === 0) origin = value;
    const distance = value - origin;
    sum += distance;
    squares += distance * distance;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  const missing = 1 - count / values.length;
  const mask = missing > 0 && missing < 1 ? maskOf(values, columns) : undefined;
  return { missing, mask, mean: mean + origin, deviation };
}

/** Thousandths of missing values in each box, west to east, then south to north. */
function maskOf(values: Float32Array, columns: number): number[] {
  const rows = values.length / columns;
  const missing = new Float64Array(BANDS * SECTORS);
  const cells = new Float64Array(BANDS * SECTORS);
  for (let row = 0, at = 0; row < rows; row++) {
    const band = Math.floor((row * BANDS) / rows) * SECTORS;
    for (let column = 0; column < columns; column++, at++) {
      const box = band + Math.floor((column * SECTORS) / columns);
      cells[box]!++;
      if (Number.isNaN(values[at]!)) missing[box]!++;
    }
  }
  return Array.from(missing, (count, box) => Math.round((1000 * count) / Math.max(1, cells[box]!)));
}

/**
 * Why a step cannot be, whatever was before it.
 *
 * @param isGlobal Whether its grid goes around the globe and nearly to both poles.
 * @returns Words for the operator; undefined if nothing is wrong with it.
 */
export function impossibility(name: FieldName, step: StepStatistics, isGlobal: boolean): string | undefined {
  const globe = climatologyOf(name);
  const { unit } = fields[name];
  if (step.missing === 1) return `${name} has no values at all`;
  if (!globe || !isGlobal) return undefined;
  const beyond = (value: number, [least, most]: readonly [number, number], what: string) =>
    value < least || value > most
      ? `the ${what} of ${name} over the globe is ${shown(value)} ${unit}: it cannot be outside ${least} to ${most}`
      : undefined;
  return beyond(step.mean, globe.mean, "mean") ?? beyond(step.deviation, globe.spread, "spread");
}

/**
 * How a step differs from the same field of the run before, more than weather does.
 *
 * @param isAround Whether its grid goes around the globe.
 * @returns Words for the operator; undefined if they agree.
 */
export function disagreement(
  name: FieldName,
  step: StepStatistics,
  before: StepStatistics,
  isAround = true,
): string | undefined {
  const { unit } = fields[name];
  const isPartition = /^sea_surface_(swell|wind)_wave/.test(name);
  if (Math.abs(step.missing - before.missing) > (isPartition ? PARTITION_CHANGE : MASK_CHANGE))
    return `${name} is missing at ${percent(step.missing)} of the cells; it was at ${percent(before.missing)} in the run before`;
  if (!isPartition && hasMoved(step.mask, before.mask))
    return `${name} is missing at other places than in the run before`;
  // Within a region a front or a storm moves the mean as far as it likes.
  if (!isAround) return undefined;
  const tolerated = MEAN_JUMP * Math.max(before.deviation, step.deviation, 2 * fields[name].scale);
  if (Math.abs(step.mean - before.mean) > tolerated)
    return `the mean of ${name} jumps from ${shown(before.mean)} to ${shown(step.mean)} ${unit}`;
  if (tooFar(step.deviation, before.deviation, fields[name].scale))
    return `the spread of ${name} jumps from ${shown(before.deviation)} to ${shown(step.deviation)} ${unit}`;
  return undefined;
}

function shown(value: number): number {
  return Number(value.toPrecision(4));
}

function hasMoved(mask: readonly number[] | undefined, before: readonly number[] | undefined): boolean {
  if (!mask || !before) return false;
  return mask.some((share, box) => Math.abs(share - before[box]!) > 1000 * BOX_CHANGE);
}

function tooFar(one: number, other: number, scale: number): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more > 20 * scale && less * SPREAD_JUMP < more;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
