import { expect, it } from "vitest";
import { kmByWater, type WaterMap, waysByWater } from "./by-water.ts";
import { destination, distanceKm, type Place } from "./sphere.ts";

const at = (north: number, east: number): Place => ({ latitude: north, longitude: east });

/** Edges: south, north, west and east, degrees. */
type Box = readonly [number, number, number, number];

/** Whether a straight line on the map meets a box (Liang and Barsky 1984). */
function meets([south, north, west, east]: Box, from: Place, to: Place): boolean {
  const away = to.longitude - from.longitude;
  const sides = [
    [from.latitude, to.latitude - from.latitude, south, north],
    [from.longitude, away - 360 * Math.round(away / 360), west, east],
  ] as const;
  let [first, last] = [0, 1];
  for (const [start, change, low, high] of sides) {
    if (change === 0 && (start < low || start > high)) return false;
    if (change === 0) continue;
    const shares = [(low - start) / change, (high - start) / change];
    first = Math.max(first, Math.min(...shares));
    last = Math.min(last, Math.max(...shares));
  }
  return first <= last;
}

function mapWith(...boxes: readonly Box[]): WaterMap {
  return {
    isLand: (place) => boxes.some((box) => meets(box, place, place)),
    isClear: (from, to) => !boxes.some((box) => meets(box, from, to)),
  };
}

/** A spit 110 m wide that extends from the north to 50° N. */
const spit = mapWith([50, 51, 1, 1.0015]);

it("goes around the end of a spit that is narrower than the grid", () => {
  const [west, east] = [at(50.1, 0.95), at(50.1, 1.05)];
  const tip = at(50, 1);
  const exact = distanceKm(west, tip) + distanceKm(tip, east);
  expect(distanceKm(west, east)).toBeLessThan(7.5);
  const km = kmByWater(spit, west, east, 30)!;
  expect(km).toBeGreaterThan(exact - 0.1);
  expect(km).toBeLessThan(1.05 * exact + 0.5);
  expect(kmByWater(spit, east, west, 30)).toBeCloseTo(km, 0);
  expect(kmByWater(spit, west, east, 20)).toBeUndefined();
});

it("is the great circle where that is clear, also across the date line and near a pole", () => {
  for (const [from, to] of [
    [at(50.1, 0.95), at(49.9, 0.9)],
    [at(-17, 179.95), at(-17.1, -179.95)],
    [at(89.95, 10), at(89.95, 190)],
  ] as const)
    expect(kmByWater(spit, from, to, 30)).toBeCloseTo(distanceKm(from, to), 6);
});

it("goes around land on the date line", () => {
  const bar = mapWith([-17.5, -17, 179.999, 180], [-17.5, -17, -180, -179.999]);
  const km = kmByWater(bar, at(-17.1, 179.9), at(-17.1, -179.9), 40)!;
  expect(km).toBeGreaterThan(distanceKm(at(-17.1, 179.9), at(-17, 180)) * 2 - 0.2);
  expect(km).toBeLessThan(35);
});

it("finds no way out of a lake, and none where everything is land", () => {
  const lake = mapWith(
    [49.9, 50.1, 0.9, 0.91],
    [49.9, 50.1, 1.09, 1.1],
    [49.9, 49.91, 0.9, 1.1],
    [50.09, 50.1, 0.9, 1.1],
  );
  expect(kmByWater(lake, at(50, 1), at(50, 1.12), 40)).toBeUndefined();
  expect(kmByWater(lake, at(50, 1.12), at(50, 1), 40)).toBeUndefined();
  expect(kmByWater(lake, at(50, 1), at(50.05, 1.05), 40)).toBeCloseTo(6.6, 0);
});

it("begins ways of places on land at the water nearest to them", () => {
  const shore = mapWith([40, 60, 2, 4]);
  const [harbour, sea] = [at(50, 2.02), at(50, 1.9)];
  expect(kmByWater(shore, harbour, sea, 30)).toBeCloseTo(distanceKm(harbour, sea), 0);
  const isthmus = mapWith([40, 60, 2, 2.1]);
  // The place lies 2 km from the water on one side and 5 km from the water on the other.
  expect(kmByWater(isthmus, at(50, 2.03), at(50, 2.2), 30)).toBeUndefined();
});

it("is straight up a river that the map lacks, and no way leads to there from the sea", () => {
  const shore = mapWith([40, 60, 2, 4]);
  const [one, other] = [at(50, 2.3), at(50.1, 2.3)];
  expect(kmByWater(shore, one, other, 30)).toBeCloseTo(distanceKm(one, other), 6);
  expect(kmByWater(shore, at(50, 1.9), other, 60)).toBeUndefined();
});

it("one search answers for many places, in any order", () => {
  const ways = waysByWater(spit, at(50.1, 0.95), 40);
  const places = Array.from({ length: 24 }, (_, number) => destination(at(50.05, 1), number * 15, 8));
  const alone = places.map((place) => kmByWater(spit, at(50.1, 0.95), place, 40));
  expect(places.toReversed().map(ways).toReversed()).toEqual(alone);
});

it("leaves a harbour whose nearest water is a closed dock", () => {
  // Land west of 1° E with a dock of 200 m in it, 400 m from the sea.
  const shore: Box = [49, 51, 0, 1];
  const dock: Box = [50.0, 50.0018, 0.9916, 0.9944];
  const inDock = ({ latitude, longitude }: Place) =>
    meets(dock, at(latitude, longitude), at(latitude, longitude));
  const map: WaterMap = {
    isLand: (place) => meets(shore, place, place) && !inDock(place),
    isClear: (from, to) => (inDock(from) && inDock(to)) || !meets(shore, from, to),
  };
  const quay = at(50.0009, 0.9905);
  const gauge = at(50.1, 1.05);
  const km = waysByWater(map, quay, 30)(gauge)!;
  expect(km).toBeGreaterThan(distanceKm(quay, gauge) - 0.1);
  expect(km).toBeLessThan(distanceKm(quay, gauge) + 1);
  expect(waysByWater(map, gauge, 30)(quay)!).toBeCloseTo(km, 0);
});
