import { formatInstant } from "#lib/time.ts";

/**
 * The variable that shades the sea where no colours cover it; its manifest provides the clock of the plain
 * map.
 */
export const RELIEF = "bathy";

/**
 * Path of the manifest of a variable.
 *
 * @param variable undefined on the plain map.
 * @param at An instant that must be drawable however long ago it was, Unix seconds.
 * @param model Model whose runs alone are wanted; null for those of all.
 * @param earlier Whether earlier forecasts are wanted too.
 */
export function manifestPath(
  variable = RELIEF,
  at?: number,
  model: string | null = null,
  earlier = false,
): string {
  const around = at === undefined ? "" : `&at=${formatInstant(at)}`;
  const only = model === null ? "" : `&model=${encodeURIComponent(model)}`;
  return `/2DMetOcean/manifest?variable=${variable}${around}${only}${earlier ? "&earlier=true" : ""}`;
}
