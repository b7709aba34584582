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
 */
export function manifestPath(variable = RELIEF, at?: number): string {
  const around = at === undefined ? "" : `&at=${formatInstant(at)}`;
  return `/2DMetOcean/manifest?variable=${variable}${around}`;
}
