import type { StormFilm } from "#lib/storms/film.ts";

/** Where a film stops when it is stepped through: at each fix and at each bulletin, ascending, Unix seconds. */
export function filmStops(film: StormFilm): number[] {
  const fixes = film.at(film.ends).observed.map(({ time }) => time);
  return [...new Set([...fixes, ...film.issues, film.ends])].sort((one, other) => one - other);
}

/** The next stop after a time, or the last before it; undefined at the end. @param by 1 or −1. */
export function nextStop(stops: readonly number[], time: number, by: 1 | -1): number | undefined {
  return by > 0 ? stops.find((stop) => stop > time) : stops.findLast((stop) => stop < time);
}
