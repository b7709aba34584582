import type { FieldName } from "#lib/catalog/fields.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";

/** Exponent of the power law over the sea (Hsu, Meindl and Gilhousen 1994). */
const POWER_LAW_EXPONENT = 0.11;

/** How the wind at a height is derived from the stored heights (metres). */
export type WindPlan<Height extends number = number> =
  /** The stored wind at `height` is used. */
  | { method: "level"; height: Height }
  /**
   * Interpolates between two stored heights, linearly in the logarithm of height; `upper` has the weight
   * `upperShare`.
   */
  | { method: "between"; lower: Height; upper: Height; upperShare: number }
  /** Multiplies both components at one stored height by `factor`. */
  | { method: "power_law"; height: Height; factor: number };

/**
 * Plans the wind at a height above the surface.
 *
 * @param height Metres.
 * @param stored Heights that are stored, metres, ascending, at least one.
 */
export function planWind<Height extends number>(height: number, stored: readonly Height[]): WindPlan<Height> {
  const upperIndex = stored.findIndex((level) => level >= height);
  const upper = stored[upperIndex];
  if (upper === height) return { method: "level", height: upper };
  const lower = upperIndex < 0 ? stored[stored.length - 1] : stored[upperIndex - 1];
  if (upper !== undefined && lower !== undefined) {
    return {
      method: "between",
      lower,
      upper,
      upperShare: Math.log(height / lower) / Math.log(upper / lower),
    };
  }
  const only = lower ?? upper;
  if (only === undefined) throw new RangeError("A wind profile needs at least one stored height");
  return { method: "power_law", height: only, factor: (height / only) ** POWER_LAW_EXPONENT };
}

/** The same as `planWind`, for a run with these fields. A height counts if both components are stored. */
export function planWindOf(
  stored: Partial<Record<FieldName, unknown>>,
  height: number,
): WindPlan<(typeof windHeights)[number]> {
  const isStored = (level: (typeof windHeights)[number]) =>
    windField("eastward", level) in stored && windField("northward", level) in stored;
  return planWind(height, windHeights.filter(isStored));
}
