import { between, distanceKm, type Place } from "#lib/geo/sphere.ts";
import { type Disc, sweptArea } from "#lib/geo/swept-area.ts";

/** Largest distance of the discs along the line, km. The edge between two of them is then within 50 m of its place. */
const STEP_KM = 100;

/**
 * All places within a distance of a line: the corridor of a formation alert, both sides of a great circle with round ends.
 *
 * @param line One place (the corridor is a circle) or the two ends of the great circle.
 * @param halfWidthKm Distance of the edge from the line, km.
 * @returns Closed ring in counter-clockwise order, longitudes in −180..180, within 1 km where it is drawn straight from
 *   vertex to vertex. null where there is no such outline (see `sweptArea`).
 */
export function corridorOutline(line: readonly Place[], halfWidthKm: number): Place[] | null {
  const [from, to = from] = line;
  if (!from || !to) return null;
  const steps = Math.max(1, Math.ceil(distanceKm(from, to) / STEP_KM));
  const discs = Array.from(
    { length: steps + 1 },
    (_, step): Disc => ({ ...between(from, to, step / steps), km: halfWidthKm }),
  );
  return sweptArea(discs);
}
