import { between, distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { legsOf } from "#lib/passage/march.ts";
import { landOnRoute } from "#lib/passage/optimise/coast.ts";
import { coastOnRoute } from "#lib/passage/optimise/offing.ts";
import { searchOffing } from "#lib/passage/optimise/sea-distance.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { landOfTiles } from "#test/land-of-tiles.ts";
import { found, randomWeather } from "#test/passages-at-sea.ts";
import { seeded } from "#test/seeded.ts";

const coast = knownCoast();
const place = (latitude: number, longitude: number) => ({ latitude, longitude });
const milesOf = (from: Place, to: Place) => distanceKm(from, to) / MILE_KM;

/** South, north, west and east; east beyond 180. */
const regions = {
  "the Channel": [48.6, 51.6, -6, 3.5],
  "Denmark and the Baltic": [54, 58.5, 8, 19],
  "the Aegean": [36, 40.5, 23, 27],
  "Fiji, across 180°": [-20, -15, 176, 183],
  "the Aleutians, across 180°": [50, 55, 170, 190],
  "the Bahamas": [22, 27, -81, -75],
  "the Moluccas": [-6, 2, 124, 132],
  "the Azores": [36.5, 40, -31.8, -24.5],
} as const;

/**
 * Regions in which better routes are searched: narrow seas, many islands, and 180°. `THOROUGH=1` searches in all.
 */
const searched = Object.entries(regions).filter(
  ([name]) => process.env.THOROUGH === "1" || /Channel|Baltic|Aegean|Fiji/.test(name),
);

const { isLand } = await landOfTiles([...Object.values(regions), [50, 52.5, -5.5, -3]]);

describe("land on a route", () => {
  const legs = (...places: Place[]) => legsOf(places.map((at) => ({ ...at, leg: "great_circle" as const })));

  it("is measured as the tiles have it, a leg each", () => {
    const route = legs(place(50.2, -4), place(50.9, -4.1), place(51.6, -5), place(52.2, -3.4));
    const land = landOnRoute(route, coast.line);
    const measured = route.map(({ miles, at }) => {
      const count = 4000;
      const inside = Array.from({ length: count }, (_, index) => isLand(at((index + 0.5) / count)));
      return (miles * inside.filter(Boolean).length) / count;
    });
    expect(land.map(({ leg }) => leg)).toEqual([0, 1, 2]);
    for (const { leg, miles } of land)
      expect(Math.abs(miles - measured[leg]!)).toBeLessThan(leg === 2 ? 2.5 : 1);
  });

  it("does not count harbours at both ends, and finds a spit that no sample lies on", () => {
    expect(landOnRoute(legs(place(50.36, -4.15), place(49.9, -4.3)), coast.line)).toEqual([]);
    // The Curonian Spit is 1 to 2 km wide.
    const [spit] = landOnRoute(legs(place(55.4, 20.6), place(55.2, 21.15)), coast.line);
    expect(spit).toMatchObject({ leg: 0 });
    expect(spit!.miles).toBeLessThan(2);
  });
});

describe("the line of the coast", () => {
  it.each([
    ["Paris", place(48.85, 2.35), true],
    ["the Alps", place(46.5, 9), true],
    ["the south pole", place(-89.9, 10), true],
    ["Viti Levu, west of 180°", place(-17.8, 178), true],
    ["Taveuni, at 180°", place(-16.85, -179.97), true],
    ["Chukotka, east of 180°", place(66.5, -176), true],
    ["the middle of the Channel", place(50.2, -0.5), false],
    ["the port of Lisbon", place(38.69, -9.15), false],
    ["the north pole", place(89.9, 0), false],
    ["the Pacific at 180°", place(0, 180), false],
    ["the Caspian", place(42, 50.5), false],
    ["Lake Superior", place(47.7, -87.5), false],
    ["the Ross Ice Shelf, whose edge is the coast", place(-81, -175), true],
    ["the sea before it", place(-77, -175), false],
    ["the lagoon of Venice", place(45.4, 12.3), false],
    ["the Eddystone Rocks", place(50.18, -4.265), false],
  ])("has %s", (_, at, isLand) => expect(coast.line.isLand(at)).toBe(isLand));

  it.each(Object.entries(regions))("is that of the tiles in %s", (_, region) => {
    const random = seeded(7);
    const [south, north, west, east] = region;
    const wrong = Array.from({ length: 1500 }, () => {
      const longitude = west + random() * (east - west);
      return place(south + random() * (north - south), longitude > 180 ? longitude - 360 : longitude);
    }).filter((at) => coast.line.isLand(at) !== isLand(at));
    expect(wrong).toEqual([]);
  });

  it("sees a cape that is smaller than a cell: the north of Flores", () => {
    const [west, east] = [place(39.51, -31.4), place(39.51, -31.05)];
    expect(coast.line.isClear(west, east)).toBe(false);
    expect(coast.line.isClear(place(39.54, -31.4), place(39.54, -31.05))).toBe(true);
    // A route keeps one cell away from the coast.
    expect(coast.isClear(place(39.54, -31.4), place(39.54, -31.05))).toBe(false);
    expect(coast.isClear(place(39.61, -31.4), place(39.61, -31.05))).toBe(true);
  });
});

/** Returns ways by water as better routes follow them, and the coast that they keep away from. */
function waysOf(from: Place, to: Place, detour: number) {
  const search = searchOffing(coast, from, to, detour);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
}

describe("ways by water", () => {
  it.each([
    ["Dover", place(50.9, 1.2), place(51.2, 1.7), 1.1],
    ["Gibraltar", place(35.95, -5.9), place(36, -5.2), 1.1],
    ["the Sound", place(55.9, 12.75), place(56.3, 12.3), 1.1],
    ["Malacca", place(1.2, 103.3), place(2.8, 100.8), 1.1],
    ["Bab el Mandeb", place(12.2, 43.6), place(13.2, 43), 1.1],
    ["Messina", place(38.4, 15.6), place(37.9, 15.5), 1.2],
    ["the Bosphorus, of half a mile", place(40.95, 28.95), place(41.4, 29.2), 1.3],
  ])("lead through %s", (_, from, to, longest) => {
    const { miles, way } = waysOf(from, to, 1.2)!.sea;
    expect(miles).toBeLessThan(longest * milesOf(from, to));
    // Narrows leave no room for a mile of distance; wherever the water does, the way keeps it.
    const legs = legsOf(way.map((at) => ({ ...at, leg: "great_circle" as const })));
    expect(coastOnRoute(legs, coast.line).close).toEqual([]);
  });

  it("lead through Drøbak, although the search finds no way a mile off the isles of the Oslofjord", () => {
    const [from, to] = [place(59.88, 10.67), place(59.2, 10.65)];
    expect(waysOf(from, to, 1.2)!.sea.miles).toBeLessThan(1.2 * milesOf(from, to));
  });

  it("do not lead from a lake to the sea", () => {
    expect(waysOf(place(41.5, 51.5), place(43, 30), 1.2)).toBeUndefined();
  });
});

describe("better routes", () => {
  it.each(searched)("never cross land of the tiles, and keep a mile off it, in %s", (_, region) => {
    const [south, north, west, east] = region;
    const random = seeded(south + 100);
    const water = (): Place => {
      for (;;) {
        const longitude = west + random() * (east - west);
        const at = place(south + random() * (north - south), longitude > 180 ? longitude - 360 : longitude);
        if (!coast.line.isLand(at)) return at;
      }
    };
    const weather = randomWeather(Math.round(north));
    let routes = 0;
    for (let pair = 0; pair < 2 && routes === 0; pair++) {
      const [from, to] = [water(), water()];
      const ways = waysOf(from, to, 1.1);
      if (!ways) continue;
      const { route } = found(from, to, { vessel: { kind: "fixed", knots: 6 }, coast: ways.coast }, weather);
      expect([route[0], route.at(-1)]).toEqual([expect.objectContaining(from), expect.objectContaining(to)]);
      const legs = route.slice(1).map((next, index) => [route[index]!, next] as const);
      expect(legs.filter(([one, other]) => !coast.line.isClear(one, other))).toEqual([]);
      // The check looks every quarter of a mile; a chosen end may be on land by a thousandth of a degree.
      const looked = legs.flatMap(([one, other]) => {
        const steps = Math.ceil(4 * milesOf(one, other));
        return Array.from({ length: Math.max(0, steps - 1) }, (_, step) =>
          between(one, other, (step + 1) / steps),
        );
      });
      expect(looked.filter(isLand)).toEqual([]);
      expect(coastOnRoute(legsOf(route), coast.line).close).toEqual([]);
      routes++;
    }
    expect(routes).toBeGreaterThan(0);
  });
});
