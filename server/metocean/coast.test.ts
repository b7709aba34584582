import { describe, expect, it } from "vitest";
import { between, distanceKm, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { seaDistances } from "#lib/passage/optimise/sea-distance.ts";
import { found, randomWeather } from "#test/passages-at-sea.ts";
import { seeded } from "#test/seeded.ts";
import { knownCoast } from "./coast.ts";

const coast = knownCoast();
const place = (latitude: number, longitude: number) => ({ latitude, longitude });

describe("the coast", () => {
  it.each([
    ["Paris", place(48.85, 2.35), true],
    ["the Alps", place(46.5, 9), true],
    ["the south pole", place(-89.9, 10), true],
    ["Viti Levu, west of 180°", place(-17.8, 178), true],
    ["Taveuni, at 180°", place(-16.85, -179.97), true],
    ["Chukotka, east of 180°", place(66.5, -176), true],
    ["the middle of the Channel", place(50.2, -0.5), false],
    ["the north pole", place(89.9, 0), false],
    ["the Pacific at 180°", place(0, 180), false],
    ["the Caspian, which Natural Earth has as sea", place(42, 50.5), false],
  ])("has %s", (_, at, isLand) => expect(coast.isLand(at)).toBe(isLand));

  it.each([
    ["Dover", place(50.9, 1.2), place(51.2, 1.7)],
    ["Gibraltar", place(35.95, -5.9), place(36, -5.2)],
    ["the Sound", place(55.9, 12.75), place(56.3, 12.3)],
    ["Malacca", place(1.2, 103.3), place(2.8, 100.8)],
    ["Bab el Mandeb", place(12.2, 43.6), place(13.2, 43)],
  ])("leaves the strait of %s open", (_, from, to) => {
    const way = seaDistances(coast, from, to, 1.2);
    expect(way!.miles).toBeLessThan((1.5 * distanceKm(from, to)) / MILE_KM);
  });

  it("sees the land between two places, however far apart, and none in open water", () => {
    expect(coast.isClear(place(43, -70), place(44, -9))).toBe(false);
    expect(coast.isClear(place(40, -60), place(44, -12))).toBe(true);
    expect(coast.isClear(place(47.5, -3), place(49.5, -3))).toBe(false);
    expect(coast.isClear(place(0, 175), place(0, -175))).toBe(true);
    expect(coast.isClear(place(-17.8, 176), place(-17.8, -178))).toBe(false);
  });

  it("offers the nearest water, and none in the middle of a continent", () => {
    const offered = coast.nearestWater(place(50.9, -1.4), 60)!;
    expect(coast.isLand(offered)).toBe(false);
    expect(distanceKm(offered, place(50.9, -1.4)) / MILE_KM).toBeLessThan(10);
    expect(coast.nearestWater(place(47, 95), 60)).toBeUndefined();
    expect(coast.nearestWater(place(50, -10), 60)).toEqual(place(50, -10));
  });

  it("has no way from a lake to the sea", () => {
    expect(seaDistances(coast, place(41.5, 51.5), place(43, 30), 1.2)).toBeUndefined();
  });
});

/** Whether a great circle crosses land, looked at every quarter of a mile. */
function isOverLand(from: Place, to: Place): boolean {
  const steps = Math.ceil((4 * distanceKm(from, to)) / MILE_KM);
  return Array.from({ length: steps + 1 }, (_, step) => between(from, to, step / Math.max(1, steps))).some(
    (at) => coast.isLand(at),
  );
}

describe("better routes", () => {
  /** South, north, west and east; east beyond 180. */
  const regions = {
    "the Channel": [48.6, 51.6, -6, 3.5],
    "Denmark and the Baltic": [54, 58.5, 8, 19],
    "the Aegean": [36, 40.5, 23, 27],
    "Fiji, across 180°": [-20, -15, 176, 183],
    "the Aleutians, across 180°": [50, 55, 170, 190],
    "the Bahamas": [22, 27, -81, -75],
    "the Moluccas": [-6, 2, 124, 132],
  } as const;

  it.each(Object.entries(regions))("never cross land in %s", (_, [south, north, west, east]) => {
    const random = seeded(south + 100);
    const water = (): Place => {
      for (;;) {
        const longitude = west + random() * (east - west);
        const at = place(south + random() * (north - south), longitude > 180 ? longitude - 360 : longitude);
        if (!coast.isLand(at)) return at;
      }
    };
    const weather = randomWeather(Math.round(north));
    for (let pair = 0; pair < 3; pair++) {
      const [from, to] = [water(), water()];
      if (!seaDistances(coast, from, to, 1.1)) continue;
      const { route } = found(from, to, { vessel: { kind: "fixed", knots: 6 }, coast }, weather);
      expect([route[0], route.at(-1)]).toEqual([expect.objectContaining(from), expect.objectContaining(to)]);
      expect(route.slice(1).filter((next, index) => isOverLand(route[index]!, next))).toEqual([]);
    }
  });
});
