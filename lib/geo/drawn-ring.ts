import { simplified } from "./simplify.ts";
import { between, DEGREE_KM, distanceKm, type Place, RADIANS } from "./sphere.ts";
import { unwrappedLine } from "./unwrap.ts";

/** Largest distance of vertices along a great circle, km: maps draw straight lines between them. */
const DENSE_KM = 60;

/** Tolerances that are tried until there are few enough vertices, km. */
const TOLERANCES_KM = [0.25, 0.4, 0.6, 0.8, 1, 1.5, 2.5, 4, 8, 16];

/**
 * A ring of great circles as a closed ring that maps can draw with straight lines of longitude and latitude.
 *
 * @param ring Corners in counter-clockwise order, joined by great circles; the first not repeated.
 * @param maxVertices Of the result, the repeated first included.
 * @returns Closed; longitudes in −180..180. null where the ring goes around a pole: no such ring exists.
 */
export function drawnRing(ring: readonly Place[], maxVertices: number): Place[] | null {
  const dense = unwrappedLine(densified(ring));
  if (Math.abs(dense.at(-1)!.longitude - dense[0]!.longitude) > 180) return null;
  const deviation = (from: number, to: number) => (at: number) =>
    fromChord(dense[at]!, dense[from]!, dense[to]!);
  let kept: number[] = [];
  for (const tolerance of TOLERANCES_KM) {
    ({ kept } = simplified(dense.length, deviation, tolerance));
    if (kept.length <= maxVertices) break;
  }
  return kept.map((index) => {
    const { latitude, longitude } = dense[index]!;
    return { latitude, longitude: longitude - 360 * Math.round(longitude / 360) };
  });
}

function densified(ring: readonly Place[]): Place[] {
  const dense: Place[] = [];
  for (const [index, from] of ring.entries()) {
    const to = ring[(index + 1) % ring.length]!;
    const parts = Math.ceil(distanceKm(from, to) / DENSE_KM);
    dense.push(from);
    for (let part = 1; part < parts; part++) dense.push(between(from, to, part / parts));
  }
  dense.push(ring[0]!);
  return dense;
}

/** Distance of a place from the line that a map draws between two others, km. Longitudes are unwrapped. */
function fromChord(place: Place, from: Place, to: Place): number {
  const east = DEGREE_KM * Math.cos(place.latitude * RADIANS);
  const [dx, dy] = [(to.longitude - from.longitude) * east, (to.latitude - from.latitude) * DEGREE_KM];
  const [px, py] = [(place.longitude - from.longitude) * east, (place.latitude - from.latitude) * DEGREE_KM];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / square));
  return Math.hypot(px - share * dx, py - share * dy);
}
