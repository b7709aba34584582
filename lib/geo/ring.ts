import type { Place } from "./sphere.ts";
import { unwrappedLine } from "./unwrap.ts";

/**
 * Whether a place lies in a closed ring whose vertices are joined by straight lines of longitude and latitude, as maps
 * draw them. The ring may cross the antimeridian.
 */
export function inRing(ring: readonly Place[], { latitude, longitude }: Place): boolean {
  const line = unwrappedLine(ring);
  const middle = (Math.min(...line.map((v) => v.longitude)) + Math.max(...line.map((v) => v.longitude))) / 2;
  const x = longitude - 360 * Math.round((longitude - middle) / 360);
  let inside = false;
  for (let index = 1; index < line.length; index++) {
    const [a, b] = [line[index - 1]!, line[index]!];
    if (a.latitude > latitude === b.latitude > latitude) continue;
    const crossing =
      a.longitude + ((b.longitude - a.longitude) * (latitude - a.latitude)) / (b.latitude - a.latitude);
    if (x < crossing) inside = !inside;
  }
  return inside;
}
