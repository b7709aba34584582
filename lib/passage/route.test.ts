import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceKm, MILE_KM, type Place, toArc } from "#lib/geo/sphere.ts";
import oracle from "./fixtures/passage.oracle.json" with { type: "json" };
import { legKinds, legLines, legOf } from "./route.ts";
import { relativeTo } from "./vessel.ts";

const at = ([latitude, longitude]: readonly number[]) => ({ latitude: latitude!, longitude: longitude! });
const place = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe("a great circle", () => {
  it.each(oracle.great_circles)("from $from to $to is geographiclib's on the same sphere", (way) => {
    const leg = legOf(at(way.from), at(way.to), "great_circle");
    expect(Math.abs(leg.miles / way.miles - 1)).toBeLessThan(1e-6);
    expect(relativeTo(leg.course(0), way.begins)).toBeCloseTo(0, 6);
    expect(relativeTo(leg.course(1), way.ends)).toBeCloseTo(0, 6);
    expect(relativeTo(leg.course(0.5), way.middle_course)).toBeCloseTo(0, 6);
    expect(distanceKm(leg.at(0.5), at(way.middle))).toBeLessThan(1e-6 * Math.max(1, way.miles));
  });

  it("differs from WGS84 by no more than is said", () => {
    for (const { miles, wgs84_miles } of oracle.great_circles)
      expect(Math.abs(miles / wgs84_miles - 1)).toBeLessThan(0.0057);
  });
});

it.each(oracle.rhumbs)("a rhumb line from $from to $to is that of an integration in steps", (way) => {
  const leg = legOf(at(way.from), at(way.to), "rhumb");
  expect(Math.abs(leg.miles / way.miles - 1)).toBeLessThan(1e-6);
  expect(relativeTo(leg.course(0.3), way.course)).toBeCloseTo(0, 5);
});

it("begins and ends at its waypoints, anywhere, and is as long as its parts, on either kind of leg", () => {
  fc.assert(
    fc.property(place, place, fc.constantFrom(...legKinds), (from, to, kind) => {
      const leg = legOf(from, to, kind);
      expect(Number.isFinite(leg.miles)).toBe(true);
      expect(distanceKm(leg.at(0), from)).toBeLessThan(1e-3);
      // From a place to the one opposite, any way is a shortest one.
      expect(distanceKm(leg.at(1), to)).toBeLessThan(distanceKm(from, to) > 20_000 ? 20 : 1e-3);
      for (const share of [0, 0.25, 0.5, 1]) {
        expect(leg.course(share)).toBeGreaterThanOrEqual(0);
        expect(leg.course(share)).toBeLessThan(360);
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

it.each(legKinds)("a leg of no length has no miles and no NaN (%s)", (kind) => {
  for (const [from, to] of [
    [at([50, -5]), at([50, -5])],
    [at([10, 180]), at([10, -180])],
    [at([90, 10]), at([90, -60])],
  ] as const) {
    const leg = legOf(from, to, kind);
    expect(leg.miles).toBeLessThan(1e-9 / MILE_KM + 1e-9);
    expect(Number.isFinite(leg.course(0) + leg.course(1) + leg.at(0.5).latitude)).toBe(true);
  }
});

const spot = (latitude: number, longitude: number): Place => ({ latitude, longitude });

describe("a great circle", () => {
  it("bends towards the pole, and all vertices lie on it", () => {
    const [from, to] = [spot(50, -5), spot(40, -70)];
    const [line, ...more] = legLines(from, to, "great_circle");
    expect(more).toEqual([]);
    expect(Math.max(...line!.map(({ latitude }) => latitude))).toBeGreaterThan(50.5);
    for (const vertex of line!) expect(toArc(vertex, from, to).km).toBeLessThan(0.01);
    expect(line!.length).toBeGreaterThan(20);
    expect(line!.length).toBeLessThan(200);
  });

  it("across the equator, where its middle lies on the chord, is bent too", () => {
    const [from, to] = [spot(-40, 20), spot(40, 110)];
    const [line] = legLines(from, to, "great_circle");
    expect(line!.length).toBeGreaterThan(20);
  });

  it("goes on beyond 180° without a jump", () => {
    for (const [one, other] of [
      [spot(35, 140), spot(37, -122)],
      [spot(37, -122), spot(35, 140)],
    ] as const) {
      const [line] = legLines(one, other, "great_circle");
      for (const [index, vertex] of line!.slice(1).entries())
        expect(Math.abs(vertex.longitude - line![index]!.longitude)).toBeLessThan(30);
      expect(Math.max(...line!.map(({ longitude }) => Math.abs(longitude)))).toBeGreaterThan(180);
    }
  });

  it("over the pole has the parts that a map in Mercator has", () => {
    const lines = legLines(spot(80, 0), spot(80, 180), "great_circle");
    expect(lines).toHaveLength(2);
    for (const { latitude } of lines.flat()) expect(latitude).toBeLessThanOrEqual(85.06);
  });
});

describe("a rhumb line", () => {
  it("is straight in Mercator, also over 180°", () => {
    const [line] = legLines(spot(-35, 175), spot(-10, -160), "rhumb");
    expect(line).toHaveLength(3);
    expect(line![2]!.longitude).toBeCloseTo(200, 9);
  });

  it("along a parallel stays on it", () => {
    const [line] = legLines(spot(60, 0), spot(60, 90), "rhumb");
    for (const { latitude } of line!) expect(latitude).toBeCloseTo(60, 9);
  });
});

it("a leg of no length has no line, nor has one at a pole", () => {
  for (const kind of ["great_circle", "rhumb"] as const) {
    expect(legLines(spot(10, 20), spot(10, 20), kind)).toEqual([]);
    expect(legLines(spot(10, 180), spot(10, -180), kind)).toEqual([]);
    expect(legLines(spot(90, 0), spot(90, 120), kind).flat()).toEqual([]);
  }
});

it("any leg is drawn with numbers, from its beginning to its end, with few vertices", () => {
  const place = fc.record({
    latitude: fc.oneof(fc.constantFrom(-90, 90, 0), fc.double({ min: -90, max: 90, noNaN: true })),
    longitude: fc.oneof(fc.constantFrom(-180, 180, 0), fc.double({ min: -180, max: 180, noNaN: true })),
  });
  fc.assert(
    fc.property(
      place,
      place,
      fc.constantFrom("great_circle" as const, "rhumb" as const),
      (from, to, kind) => {
        const lines = legLines(from, to, kind);
        const vertices = lines.flat();
        expect(vertices.length).toBeLessThan(4000);
        for (const { latitude, longitude } of vertices)
          expect(Number.isFinite(latitude) && Math.abs(longitude) <= 720).toBe(true);
        if (lines.length === 0 || Math.abs(from.latitude) > 85 || Math.abs(to.latitude) > 85) return;
        expect(distanceKm(vertices[0]!, from)).toBeLessThan(0.01);
        expect(distanceKm(vertices.at(-1)!, to)).toBeLessThan(0.01);
      },
    ),
    { seed: 20_261_123, numRuns: 200 },
  );
});
