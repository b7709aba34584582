import type { Place } from "./sphere.ts";

/**
 * The same longitudes without jumps: each is shifted by whole turns to be nearest to the one before it.
 *
 * @param longitudes Degrees, any convention.
 */
export function unwrapped(longitudes: readonly number[]): number[] {
  const result: number[] = [];
  for (const longitude of longitudes) {
    const before = result.at(-1) ?? longitude;
    result.push(longitude - 360 * Math.round((longitude - before) / 360));
  }
  return result;
}

/** A line for maps that draw straight from vertex to vertex and accept longitudes beyond 180. */
export function unwrappedLine<Vertex extends Place>(line: readonly Vertex[]): Vertex[] {
  const longitudes = unwrapped(line.map(({ longitude }) => longitude));
  return line.map((vertex, index) => ({ ...vertex, longitude: longitudes[index]! }));
}
