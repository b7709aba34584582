import { distanceKm, MILE_KM, toArc } from "@open-metocean/geo/sphere";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import oracle from "./fixtures/passage.oracle.json" with { type: "json" };
import { legKinds, legLines, legOf } from "./route.ts";
import { relativeTo } from "./vessel.ts";

const at = ([latitude, longitude]: readonly number[]) => ({ latitude: latitude!, longitude: longitude! });
const place = fc.record({
  latitude: fc.oneof(fc.constantFrom(-90, 90, 0), fc.double({ min: -90, max: 90, noNaN: true })),
  longitude: fc.oneof(fc.constantFrom(-180, 180, 0), fc.double({ min: -180, max: 180, noNaN: true })),
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
      // Between antipodal places every great circle is a shortest way.
      expect(distanceKm(leg.at(1), to)).toBeLessThan(distanceKm(from, to) > 20_000 ? 20 : 1e-3);
      for (const share of [0, 0.25, 0.5, 1]) {
        expect(leg.course(share)).toBeGreaterThanOrEqual(0);
        expect(leg.course(share)).toBeLessThan(360);
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

it.each(legKinds)("a leg of no length has no miles, no line and no NaN (%s)", (kind) => {
  for (const [from, to] of [
    [at([50, -5]), at([50, -5])],
    [at([10, 180]), at([10, -180])],
    [at([90, 10]), at([90, -60])],
  ] as const) {
    const leg = legOf(from, to, kind);
    expect(leg.miles).toBeLessThan(1e-9 / MILE_KM + 1e-9);
    expect(Number.isFinite(leg.course(0) + leg.course(1) + leg.at(0.5).latitude)).toBe(true);
    expect(legLines(from, to, kind).flat()).toEqual([]);
  }
});

describe("the line of a great circle", () => {
  it("bends towards the pole, all vertices on it, also where its middle lies on the chord", () => {
    const [from, to] = [at([50, -5]), at([40, -70])];
    const [line, ...more] = legLines(from, to, "great_circle");
    expect(more).toEqual([]);
    expect(Math.max(...line!.map(({ latitude }) => latitude))).toBeGreaterThan(50.5);
    for (const vertex of line!) expect(toArc(vertex, from, to).km).toBeLessThan(0.01);
    expect(line!.length).toBeGreaterThan(20);
    expect(line!.length).toBeLessThan(200);
    expect(legLines(at([-40, 20]), at([40, 110]), "great_circle")[0]!.length).toBeGreaterThan(20);
  });

  it("goes on beyond 180° without a jump, and over the pole in parts that a map in Mercator has", () => {
    const [line] = legLines(at([35, 140]), at([37, -122]), "great_circle");
    for (const [index, vertex] of line!.slice(1).entries())
      expect(Math.abs(vertex.longitude - line![index]!.longitude)).toBeLessThan(30);
    expect(Math.max(...line!.map(({ longitude }) => Math.abs(longitude)))).toBeGreaterThan(180);
    const lines = legLines(at([80, 0]), at([80, 180]), "great_circle");
    expect(lines).toHaveLength(2);
    for (const { latitude } of lines.flat()) expect(latitude).toBeLessThanOrEqual(85.06);
  });
});

it("the line of a rhumb line is straight in Mercator, also over 180°", () => {
  const [line] = legLines(at([-35, 175]), at([-10, -160]), "rhumb");
  expect(line).toHaveLength(3);
  expect(line![2]!.longitude).toBeCloseTo(200, 9);
});

it("any leg is drawn with numbers, from its beginning to its end, with few vertices", () => {
  fc.assert(
    fc.property(place, place, fc.constantFrom(...legKinds), (from, to, kind) => {
      const lines = legLines(from, to, kind);
      const vertices = lines.flat();
      expect(vertices.length).toBeLessThan(4000);
      for (const { latitude, longitude } of vertices)
        expect(Number.isFinite(latitude) && Math.abs(longitude) <= 720).toBe(true);
      if (lines.length === 0 || Math.abs(from.latitude) > 85 || Math.abs(to.latitude) > 85) return;
      expect(distanceKm(vertices[0]!, from)).toBeLessThan(0.01);
      expect(distanceKm(vertices.at(-1)!, to)).toBeLessThan(0.01);
    }),
    { seed: 20_261_123, numRuns: 200 },
  );
});
