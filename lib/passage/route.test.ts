import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import oracle from "./fixtures/passage.oracle.json" with { type: "json" };
import { legKinds, legOf } from "./route.ts";
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
