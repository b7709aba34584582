import type { Place } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import { legsOf } from "#lib/passage/march.ts";
import type { LegKind } from "#lib/passage/route.ts";
import { coastOfBoxes } from "#test/coast-of-boxes.ts";
import type { Coast } from "./coast.ts";
import { coastOnRoute } from "./offing.ts";

const MILE = 1 / 60;

const routed = (coast: Coast, places: readonly Place[], leg: LegKind = "rhumb") =>
  coastOnRoute(legsOf(places.map((place) => ({ ...place, leg }))), coast.line);

const nearestOf = (coast: Coast, places: readonly Place[], leg?: LegKind) =>
  routed(coast, places, leg).close.toSorted((one, other) => one.miles - other.miles)[0];

const place = (latitude: number, longitude: number): Place => ({ latitude, longitude });

describe("a route is too near to a coast", () => {
  /** A straight coast along 2° N, 2° of longitude long. */
  const wall = coastOfBoxes({ south: 2, north: 3, west: 4, east: 6 });
  const along = (miles: number) => [place(2 - miles * MILE, 3.5), place(2 - miles * MILE, 6.5)];

  it.each([0.2, 0.5, 0.95])("at %s n mi off it", (miles) => {
    const found = nearestOf(wall, along(miles));
    expect(found).toMatchObject({ leg: 0, miles: expect.closeTo(miles, 2) });
  });

  it.each([1.01, 1.5, 4])("but not at %s n mi off it", (miles) => {
    expect(routed(wall, along(miles)).close).toEqual([]);
  });

  it("from where it comes within a mile to where it leaves it, to the twentieth of a mile", () => {
    const { close } = routed(wall, along(0.6));
    expect(close).toHaveLength(1);
    // The distance to the corners of the coast is a mile 0.8 n mi before and after them.
    expect(close[0]!.begin).toBeCloseTo(30 - 0.8, 1);
    expect(close[0]!.end).toBeCloseTo(150 + 0.8, 1);
  });

  it("only more than 5 n mi from both ends, which are harbours", () => {
    const ends = (miles: number) => [place(2 - 0.3 * MILE, 5), place(2 - 0.3 * MILE, 5 + miles * MILE)];
    expect(routed(wall, ends(9.9)).close).toEqual([]);
    const [close] = routed(wall, ends(12)).close;
    expect([close!.begin, close!.end]).toEqual([expect.closeTo(5, 1), expect.closeTo(7, 1)]);
  });

  it("at a waypoint that the user has set there", () => {
    const via = [place(1.5, 4.5), place(2 - 0.3 * MILE, 5), place(1.5, 5.5)];
    expect(nearestOf(wall, via)!.miles).toBeCloseTo(0.3, 1);
    expect(routed(wall, via).close.map(({ leg }) => leg)).toEqual([0, 1]);
  });

  it("at an island that is smaller than its distance", () => {
    const island = coastOfBoxes({ south: 2, north: 2.002, west: 5, east: 5.002 });
    const found = nearestOf(island, [place(2.01, 4.5), place(2.01, 5.5)]);
    expect(found!.miles).toBeCloseTo(0.48, 1);
    expect(found!.at.longitude).toBeCloseTo(5.001, 2);
    expect(routed(island, [place(2.02, 4.5), place(2.02, 5.5)]).close).toEqual([]);
  });

  it.each([
    [
      "south of the equator",
      place(-1.99, 4.7),
      place(-1.99, 5.3),
      { south: -1.985, north: -1.9, west: 5, east: 5.05 },
    ],
    [
      "east of 180°",
      place(2.01, 179.7),
      place(2.01, -179.7),
      { south: 2.02, north: 2.1, west: -179.99, east: -179.9 },
    ],
    [
      "west of 180°",
      place(2.01, -179.7),
      place(2.01, 179.7),
      { south: 2.02, north: 2.1, west: 179.9, east: 179.99 },
    ],
    ["at 82° N", place(82.01, 10.5), place(82.01, 14), { south: 82.02, north: 82.1, west: 12, east: 12.5 }],
  ])("%s", (_, from, to, box) => {
    const away = Math.abs(from.latitude - box.south) * 60;
    expect(nearestOf(coastOfBoxes(box), [from, to])!.miles).toBeCloseTo(away, 1);
  });

  it("along a great circle as along a rhumb line, of which it has the course", () => {
    // The great circle along 82° N passes 20 n mi north of the rhumb line.
    const island = coastOfBoxes({ south: 82.02, north: 82.1, west: 12, east: 12.5 });
    const ends = [place(82.01, 2), place(82.01, 22)];
    expect(routed(island, ends).close).toHaveLength(1);
    expect(routed(island, ends, "great_circle").close).toEqual([]);
  });
});

describe("a narrow that leaves no mile on both sides", () => {
  /** A channel through land from west to east. @param miles Its width. */
  const channel = (miles: number) =>
    coastOfBoxes(
      { south: 1, north: 2, west: 4, east: 4.4 },
      { south: 2 + miles * MILE, north: 3.5, west: 4, east: 4.4 },
    );
  const through = (off: number) => [place(2 + off * MILE, 3.8), place(2 + off * MILE, 4.6)];

  it.each([0.2, 0.5, 0.9])("is passed at %s n mi off one side", (off) => {
    const { close, nearest } = routed(channel(1.8), through(off));
    expect(nearest!.miles).toBeCloseTo(off, 1);
    // The coast is near before the mouths of the channel, too.
    expect(close).toEqual([]);
  });

  it("is none where the water leaves a mile, and room to steer", () => {
    expect(nearestOf(channel(2.3), through(0.5))!.miles).toBeCloseTo(0.5, 2);
    expect(routed(channel(2.3), through(1.1)).close).toEqual([]);
    expect(routed(channel(2.1), through(0.5)).close).toEqual([]);
  });

  it("ends a mile before its mouth: the coast further before it is none", () => {
    // The route follows a coast and then enters a channel that opens on it.
    const before = coastOfBoxes(
      { south: 1, north: 2, west: 3.6, east: 4.4 },
      { south: 2 + 1.8 * MILE, north: 3.5, west: 4, east: 4.4 },
    );
    const [stretch, ...others] = routed(before, [place(2 + 0.5 * MILE, 3.4), ...through(0.5).slice(1)]).close;
    expect(others).toEqual([]);
    expect(stretch!.begin).toBeCloseTo(12 - 0.87, 1);
    expect(stretch!.end).toBeGreaterThan(34);
    expect(stretch!.end).toBeLessThan(36);
  });

  it("is passed whatever the course in it", () => {
    const zigzag = [
      ...through(0.9).slice(0, 1),
      place(2.005, 4.1),
      place(2.025, 4.13),
      place(2.005, 4.16),
      ...through(0.9).slice(1),
    ];
    expect(routed(channel(1.8), zigzag).close).toEqual([]);
  });

  it("is no cove, in which the route turns back", () => {
    const cove = coastOfBoxes(
      { south: 1, north: 2, west: 4, east: 4.6 },
      { south: 2 + 1.6 * MILE, north: 3.5, west: 4, east: 4.6 },
      { south: 1.9, north: 2.1, west: 4.3, east: 4.5 },
    );
    const inAndOut = [place(2.0135, 3.8), place(2.0135, 4.25), place(2.0135, 3.8)];
    const { close } = routed(cove, inAndOut);
    expect(close.some(({ begin, end }) => begin < 20 && end > 20)).toBe(true);
  });

  /** Land south of 2° N. */
  const shore = { south: 1, north: 2, west: 4, east: 6 };

  it("is no gap between a coast and a rock, around which there is room", () => {
    const rock = { south: 2 + 1.4 * MILE, north: 2 + 1.7 * MILE, west: 5, east: 5 + 0.4 * MILE };
    const between = [place(2 + 2.6 * MILE, 4.8), place(2 + 0.7 * MILE, 5.003), place(2 + 2.6 * MILE, 5.2)];
    const { close } = routed(coastOfBoxes(shore, rock), between);
    expect(close.some(({ at }) => Math.abs(at.longitude - 5.003) < 0.01)).toBe(true);
    expect(close.reduce((sum, { begin, end }) => sum + end - begin, 0)).toBeGreaterThan(3.5);
  });

  it("is no cove that the route cuts into", () => {
    const headlands = [5, 5 + 1.8 * MILE].map((west) => ({
      south: 2,
      north: 2 + 3 * MILE,
      west: west - 0.2 * MILE,
      east: west,
    }));
    const into = [place(2 + 9 * MILE, 4.9), place(2 + 2.4 * MILE, 5 + 0.8 * MILE), place(2 + 9 * MILE, 5.13)];
    const { close } = routed(coastOfBoxes(shore, ...headlands), into);
    expect(close.some(({ leg, end }) => leg === 0 && end > 8.6)).toBe(true);
    expect(close.some(({ leg, begin }) => leg === 1 && begin < 0.1)).toBe(true);
  });

  it("is a sound behind an island that is a day's way around", () => {
    const island = { south: 2 + 1.6 * MILE, north: 2.2, west: 4.8, east: 5.2 };
    const along = [place(2 + 0.8 * MILE, 4.2), place(2 + 0.8 * MILE, 5.8)];
    const { close } = routed(coastOfBoxes(shore, island), along);
    expect(close.map(({ begin, end }) => [Math.round(begin), Math.round(end)])).toEqual([
      [5, 34],
      [62, 91],
    ]);
  });
});
