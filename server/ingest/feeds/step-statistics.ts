import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { plausible } from "./plausible.ts";

/** What is compared between one run and the next, of one step of a field. */
export interface StepStatistics {
  /** Share of missing values, 0 … 1. */
  missing: number;
  /** Of the values that are there, each cell counted alike. */
  mean: number;
  deviation: number;
}

export interface RangedStatistics extends StepStatistics {
  min: number;
  max: number;
}

/** A mean may move by this many standard deviations from run to run; the deviation by this factor. */
const MEAN_JUMP = 0.5;
const SPREAD_JUMP = 3;

/** @param values Catalog's unit, NaN = missing. */
export function statisticsOf(values: Float32Array): RangedStatistics {
  let count = 0;
  let sum = 0;
  let squares = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  // Around the first value, so that the sum of squares of a pressure loses nothing.
  let origin = Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (count++ === 0) origin = value;
    const distance = value - origin;
    sum += distance;
    squares += distance * distance;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return { missing: 1 - count / values.length, min, max, mean: mean + origin, deviation };
}

/**
 * Why a step cannot be published.
 *
 * @param before The same field of the run before; undefined where none is young enough to be compared.
 * @returns Words for the operator; undefined if nothing is wrong with it.
 */
export function implausibility(
  name: FieldName,
  step: RangedStatistics,
  before: StepStatistics | undefined,
): string | undefined {
  const { min, max, maskChange } = plausible(name);
  const { unit } = fields[name];
  const shown = (value: number) => Number(value.toPrecision(4));
  if (step.missing === 1) return `${name} has no values at all`;
  if (step.min < min || step.max > max)
    return `${name} is ${shown(step.min)} to ${shown(step.max)} ${unit}: it cannot be outside ${min} to ${max}`;
  if (!before) return undefined;
  if (Math.abs(step.missing - before.missing) > maskChange)
    return `${name} is missing at ${percent(step.missing)} of the cells; it was at ${percent(before.missing)} in the run before`;
  const tolerated = MEAN_JUMP * Math.max(before.deviation, step.deviation, 2 * fields[name].scale);
  if (Math.abs(step.mean - before.mean) > tolerated)
    return `the mean of ${name} jumps from ${shown(before.mean)} to ${shown(step.mean)} ${unit}`;
  if (tooFar(step.deviation, before.deviation, fields[name].scale))
    return `the spread of ${name} jumps from ${shown(before.deviation)} to ${shown(step.deviation)} ${unit}`;
  return undefined;
}

function tooFar(one: number, other: number, scale: number): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more > 20 * scale && less * SPREAD_JUMP < more;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
