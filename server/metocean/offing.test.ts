import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { legsOf } from "#lib/passage/march.ts";
import { coastOnRoute } from "#lib/passage/optimise/offing.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { landOfTiles } from "#test/land-of-tiles.ts";
import { seeded } from "#test/seeded.ts";

const { line } = knownCoast();

/** The way is followed in twentieths of a mile. */
const TOLERANCE = 0.06;

/** South, north, west and east; east beyond 180. */
const regions = {
  "Cornwall and Scilly": [49.7, 50.7, -6.6, -4.4],
  "Danish straits": [54.5, 56.2, 9.8, 12.8],
  "the Cyclades": [36.4, 38, 23.6, 26],
  "Fiji, across 180°": [-18.5, -16, 177.5, 181.5],
  "the Aleutians, across 180°": [51.2, 52.5, 176, 183],
  Svalbard: [77.5, 80.6, 9, 24],
  "the Antarctic Peninsula": [-66, -63.5, -65, -58],
} as const;

const { isLand, milesOff } = await landOfTiles(Object.values(regions));

describe.each(Object.entries(regions))(
  "in %s, against a computation of its own from the tiles",
  (_, region) => {
    const [south, north, west, east] = region;
    const random = seeded(Math.round(100 * north));
    const anywhere = (): Place => {
      const longitude = west + random() * (east - west);
      return {
        latitude: south + random() * (north - south),
        longitude: longitude > 180 ? longitude - 360 : longitude,
      };
    };
    /** Picks a place near a coast, as users set points to round it. */
    const nearCoast = (): Place => {
      for (;;) {
        const place = anywhere();
        if (!isLand(place) && milesOff(place) < 1.3) return place;
      }
    };

    it("distances of places at sea from the coast are right", () => {
      // On land at 180° the tiles overlap, so an edge at which land was cut is nearer there than the coast.
      const atSea = Array.from({ length: 300 }, anywhere).filter((place) => !isLand(place));
      const wrong = atSea.filter((place) => {
        const [one, other] = [line.nearestCoastTo(place)?.miles ?? 3, Math.min(3, milesOff(place))];
        return Math.abs(one - other) > TOLERANCE;
      });
      expect(wrong).toEqual([]);
    });

    it("a route is near the coast where it is, and only there", () => {
      let near = 0;
      for (let route = 0; route < 8; route++) {
        const places = [anywhere(), nearCoast(), anywhere()];
        const legs = legsOf(places.map((place) => ({ ...place, leg: route % 2 ? "rhumb" : "great_circle" })));
        const { close, nearest } = coastOnRoute(legs, line);
        const stretches = close.filter(({ miles }) => miles > 0);
        const toEnds = (place: Place) =>
          Math.min(distanceKm(place, places[0]!), distanceKm(place, places[2]!)) / MILE_KM;
        for (const { at, miles } of stretches) {
          expect(Math.abs(milesOff(at) - miles)).toBeLessThan(TOLERANCE);
          expect(miles).toBeLessThan(1);
          expect(toEnds(at)).toBeGreaterThanOrEqual(5);
        }
        near += stretches.length;
        let least = 3;
        for (const [leg, { miles, at }] of legs.entries()) {
          const steps = Math.ceil(miles / 0.1);
          for (let step = 0; step < steps; step++) {
            const gone = ((step + 0.5) / steps) * miles;
            const place = at((step + 0.5) / steps);
            if (toEnds(place) < 5) continue;
            const off = milesOff(place);
            least = Math.min(least, off);
            const isIn = close.some(
              (one) => one.leg === leg && one.begin - 0.1 <= gone && one.end + 0.1 >= gone,
            );
            // Up to a mile before and after a narrow is left out, so the water is open there, too.
            const isOpenAlong = () =>
              [0, -0.6, 0.6, -1.2, 1.2].every((by) =>
                isOpen(at(Math.max(0, Math.min(1, (gone + by) / miles)))),
              );
            if (off < 1 - TOLERANCE && !isIn && !isLand(place))
              expect([place, isOpenAlong()]).toEqual([place, false]);
            if (isIn) expect(isLand(place) || off < 1 + 0.1 + TOLERANCE).toBe(true);
          }
        }
        expect(Math.abs((nearest?.miles ?? 3) - least)).toBeLessThan(0.05 + TOLERANCE);
      }
      expect(near).toBeGreaterThan(2);
    });
  },
);

/** Whether land within 3.5 n mi of a place of water lies on one side of it: no other coast makes a narrow. */
function isOpen(place: Place): boolean {
  const shrink = Math.cos((place.latitude * Math.PI) / 180);
  const seen = Array.from({ length: 360 }, (_, index) => {
    const turn = (index * Math.PI) / 180;
    return Array.from({ length: 35 }, (_, step) => (step + 1) / 600).some((degrees) =>
      isLand({
        latitude: place.latitude + degrees * Math.cos(turn),
        longitude: place.longitude + (degrees * Math.sin(turn)) / shrink,
      }),
    );
  });
  const edges = seen.filter((one, index) => one !== seen[(index + 359) % 360]).length;
  return !isLand(place) && edges === 2 && seen.filter(Boolean).length <= 180;
}
