import type { Place } from "#components/view-state/view-url.ts";
import { colourScales, type DrawnVariable } from "#lib/catalog/colours.ts";
import { type FramePair, sampleBand } from "#lib/field/sample.ts";

/** Value painted at a place, in the unit of the field; NaN where there is none. */
export function paintedValue(pair: FramePair, layer: DrawnVariable, { latitude, longitude }: Place): number {
  const first = sampleBand(pair, 0, latitude, longitude);
  const { paints } = colourScales[layer];
  return paints === "value" ? first : Math.hypot(first, sampleBand(pair, 1, latitude, longitude));
}
