import type { TileOverlay } from "#lib/contract/tile-overlay.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";

/** How far the time of the map may be ahead of the clock for the newest picture to be drawn, seconds. */
const AHEAD_S = HOUR_S;

/**
 * Time of the picture that is drawn for a time of the map: the newest one that is available and not later.
 *
 * @param time Time of the map, Unix seconds.
 * @param now Weather clock, Unix seconds.
 * @returns Unix seconds; undefined if there is no picture, as for the hours ahead.
 */
export function pictureTime(
  { every, delay, keep }: NonNullable<TileOverlay["time"]>,
  time: number,
  now: number,
): number | undefined {
  if (time > now + AHEAD_S) return undefined;
  const newest = Math.min(time, now - 60 * delay);
  const picture = Math.floor(newest / (60 * every)) * 60 * every;
  return picture >= now - keep * HOUR_S ? picture : undefined;
}

/** Address of the tiles, with the time of a picture. @param picture Unix seconds. */
export function tilesAt(address: string, picture: number): string {
  const time = formatInstant(picture);
  const [YYYY, MM, DD, HH, mm] = time.split(/\D/) as [string, string, string, string, string];
  const parts: Readonly<Record<string, string>> = { time, YYYY, MM, DD, HH, mm };
  return address.replaceAll(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
}
