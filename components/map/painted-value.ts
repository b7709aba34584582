import type { Place } from "#components/view-state/view-url.ts";
import { colourScales, type DrawnVariable, directionOutput } from "#lib/catalog/colours.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type PaintedName, paintedScale, paintedStatistic } from "#lib/catalog/painted.ts";
import { type FramePair, sampleBand } from "#lib/field/interpolate.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";

/** Value painted at a place, in the unit of the field; NaN if it is missing. */
export function paintedValue(pair: FramePair, layer: PaintedName, { latitude, longitude }: Place): number {
  const first = sampleBand(pair, 0, latitude, longitude);
  const { paints } = paintedScale(layer);
  return paints === "value" ? first : Math.hypot(first, sampleBand(pair, 1, latitude, longitude));
}

/**
 * By how much the value painted of one field at a place is greater than that of another, in the unit of the field; NaN if
 * either is missing.
 */
export function paintedDifference(
  pair: FramePair,
  base: FramePair,
  layer: PaintedName,
  place: Place,
): number {
  return paintedValue(pair, layer, place) - paintedValue(base, layer, place);
}

/**
 * Bearing from which the wind or waves of a layer come, or to which its current sets, sampled from the drawn
 * frames.
 *
 * @returns undefined if the layer has no direction, or no value there.
 */
export function bearingAt(
  pair: FramePair,
  layer: PaintedName,
  { latitude, longitude }: Place,
): { degrees: number; sense: "from" | "setting" } | undefined {
  if (paintedStatistic(layer)) return undefined;
  return directionAt(pair, layer as DrawnVariable, latitude, longitude);
}

function directionAt(
  pair: FramePair,
  layer: DrawnVariable,
  latitude: number,
  longitude: number,
): { degrees: number; sense: "from" | "setting" } | undefined {
  const output = directionOutput(layer);
  const bands: readonly FieldName[] = colourScales[layer].bands;
  const [x, y] = (output?.of ?? []).map((field) => bands.indexOf(field));
  if (!output || x === undefined || y === undefined || x < 0 || y < 0) return undefined;
  const eastward = sampleBand(pair, x, latitude, longitude);
  const northward = sampleBand(pair, y, latitude, longitude);
  // A unit vector points along its bearing, as the vector of a current does.
  const degrees =
    output.is === "bearingFrom" ? bearingFrom(eastward, northward) : bearingTo(eastward, northward);
  if (Number.isNaN(degrees)) return undefined;
  return { degrees, sense: output.is === "bearingTo" ? "setting" : "from" };
}
