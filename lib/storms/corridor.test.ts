import { describe, expect, it } from "vitest";
import { inRing, unwrapped } from "#lib/geo/ring.ts";
import { destination, distanceKm, dot, EARTH_KM, type Place, vectorOf } from "#lib/geo/sphere.ts";
import { seeded } from "#test/seeded.ts";
import { corridorOutline } from "./cone.ts";

/**
 * Distance of a place from the great circle between two others, km: the least of many points along the chord, each brought
 * back onto the sphere. It knows neither tangents nor polygons.
 */
function distanceFromLine(place: Place, from: Place, to: Place): number {
  const [a, b, p] = [vectorOf(from), vectorOf(to), vectorOf(place)];
  let nearest = -1;
  for (let step = 0; step <= 2000; step++) {
    const share = step / 2000;
    const at = a.map((value, axis) => value + (b[axis]! - value) * share);
    const length = Math.hypot(...at);
    nearest = Math.max(nearest, dot([at[0]! / length, at[1]! / length, at[2]! / length], p));
  }
  return EARTH_KM * Math.acos(Math.min(1, nearest));
}

/** Longest chord of the walk above from its arc's nearest point, and the tolerance of the drawn outline, km. */
const TOLERANCE_KM = 1.2;

const twiceArea = (ring: readonly Place[]) => {
  const x = unwrapped(ring.map(({ longitude }) => longitude));
  return ring
    .slice(1)
    .reduce((sum, { latitude }, at) => sum + x[at]! * latitude - x[at + 1]! * ring[at]!.latitude, 0);
};

describe.each([
  ["in the tropics", 5, 25, -170, 150],
  ["across 180°", -25, 25, 176, 184],
  ["in middle latitudes", 40, 58, -60, 20],
] as const)("a corridor %s", (_, south, north, west, east) => {
  it("contains exactly what is within its half width of the line", () => {
    const random = seeded(98);
    for (let round = 0; round < 12; round++) {
      const start = {
        latitude: south + random() * (north - south),
        longitude: west + random() * (east - west),
      };
      const from = destination(start, 0, 0);
      const bearing = random() * 360;
      const to = destination(from, bearing, 100 + random() * 1400);
      const halfWidth = 100 + random() * 300;
      const ring = corridorOutline([from, to], halfWidth)!;
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(ring.every(({ longitude }) => Math.abs(longitude) <= 180)).toBe(true);
      expect(twiceArea(ring)).toBeGreaterThan(0);
      for (let probe = 0; probe < 120; probe++) {
        const along = destination(from, bearing, random() * distanceKm(from, to));
        const place = destination(along, random() * 360, random() * halfWidth * 1.6);
        const away = distanceFromLine(place, from, to);
        if (Math.abs(away - halfWidth) < TOLERANCE_KM) continue;
        expect(inRing(ring, place), `${away} km from the line, ${halfWidth} km wide`).toBe(away < halfWidth);
      }
    }
  });
});

it("is a circle around a single place", () => {
  const centre = { latitude: -15.1, longitude: 111 };
  const ring = corridorOutline([centre], 231.5)!;
  for (const place of ring) expect(Math.abs(distanceKm(place, centre) - 231.5)).toBeLessThan(0.5);
  expect(corridorOutline([centre, centre], 231.5)).toEqual(ring);
});

it("has no outline without a line or a width", () => {
  expect(corridorOutline([], 100)).toBeNull();
  expect(corridorOutline([{ latitude: 10, longitude: 10 }], 0)).toBeNull();
});
