import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceKm, type Place, toArc } from "#lib/geo/sphere.ts";
import { legLines } from "./route.ts";

const at = (latitude: number, longitude: number): Place => ({ latitude, longitude });

describe("a great circle", () => {
  it("bends towards the pole, and all vertices lie on it", () => {
    const [from, to] = [at(50, -5), at(40, -70)];
    const [line, ...more] = legLines(from, to, "great_circle");
    expect(more).toEqual([]);
    expect(Math.max(...line!.map(({ latitude }) => latitude))).toBeGreaterThan(50.5);
    for (const vertex of line!) expect(toArc(vertex, from, to).km).toBeLessThan(0.01);
    expect(line!.length).toBeGreaterThan(20);
    expect(line!.length).toBeLessThan(200);
  });

  it("across the equator, where its middle lies on the chord, is bent too", () => {
    const [from, to] = [at(-40, 20), at(40, 110)];
    const [line] = legLines(from, to, "great_circle");
    expect(line!.length).toBeGreaterThan(20);
  });

  it("goes on beyond 180° without a jump", () => {
    for (const [one, other] of [
      [at(35, 140), at(37, -122)],
      [at(37, -122), at(35, 140)],
    ] as const) {
      const [line] = legLines(one, other, "great_circle");
      for (const [index, vertex] of line!.slice(1).entries())
        expect(Math.abs(vertex.longitude - line![index]!.longitude)).toBeLessThan(30);
      expect(Math.max(...line!.map(({ longitude }) => Math.abs(longitude)))).toBeGreaterThan(180);
    }
  });

  it("over the pole has the parts that a map in Mercator has", () => {
    const lines = legLines(at(80, 0), at(80, 180), "great_circle");
    expect(lines).toHaveLength(2);
    for (const { latitude } of lines.flat()) expect(latitude).toBeLessThanOrEqual(85.06);
  });
});

describe("a rhumb line", () => {
  it("is straight in Mercator, also over 180°", () => {
    const [line] = legLines(at(-35, 175), at(-10, -160), "rhumb");
    expect(line).toHaveLength(3);
    expect(line![2]!.longitude).toBeCloseTo(200, 9);
  });

  it("along a parallel stays on it", () => {
    const [line] = legLines(at(60, 0), at(60, 90), "rhumb");
    for (const { latitude } of line!) expect(latitude).toBeCloseTo(60, 9);
  });
});

it("a leg of no length has no line, nor has one at a pole", () => {
  for (const kind of ["great_circle", "rhumb"] as const) {
    expect(legLines(at(10, 20), at(10, 20), kind)).toEqual([]);
    expect(legLines(at(10, 180), at(10, -180), kind)).toEqual([]);
    expect(legLines(at(90, 0), at(90, 120), kind).flat()).toEqual([]);
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
