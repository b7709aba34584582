import { formatInstant } from "#lib/time.ts";

/** Shades the sea where no colours cover it; the clock of the plain map is that of its manifest. */
export const RELIEF = "bathy";

/**
 * Path of what the map may draw of a variable.
 *
 * @param variable undefined on the plain map.
 * @param at An instant that must be drawable however far back, Unix seconds.
 */
export function manifestPath(variable = RELIEF, at?: number): string {
  const around = at === undefined ? "" : `&at=${formatInstant(at)}`;
  return `/2DMetOcean/manifest?variable=${variable}${around}`;
}
