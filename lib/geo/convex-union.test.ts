import fc from "fast-check";
import polygonClipping from "polygon-clipping";
import { expect, it } from "vitest";
import { convexUnion } from "./convex-union.ts";
import type { Flat } from "./gnomonic.ts";

function area(ring: readonly Flat[]): number {
  return ring.reduce((sum, { x, y }, index) => {
    const next = ring[(index + 1) % ring.length]!;
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
}

function disc(x: number, y: number, radius: number, corners: number): Flat[] {
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  });
}

/** Area within the outline by polygon-clipping; undefined where it gives up on edges that all but coincide. */
function clipperArea(rings: readonly Flat[][]): number | undefined {
  const [first, ...rest] = rings.map((ring) => [ring.map(({ x, y }): [number, number] => [x, y])]);
  try {
    const union = polygonClipping.union(first!, ...rest);
    return Math.max(...union.map((polygon) => area(polygon[0]!.map(([x, y]) => ({ x, y })))));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Unable to")) return undefined;
    throw error;
  }
}

it("equals the outline of a general polygon clipper, for any chain of discs", () => {
  // Steps and sizes on a coarse lattice, so that corners and edges often coincide.
  const step = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }));
  const chain = fc.array(step, { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(chain, fc.constantFrom(12, 31, 64), (steps, corners) => {
      let [x, y] = [0, 0];
      const discs = steps.map(([dx, dy]) => {
        x += dx / 40;
        y += dy / 40;
        return disc(x, y, 0.11, corners);
      });
      const expected = clipperArea(discs);
      fc.pre(expected !== undefined);
      expect(area(convexUnion(discs))).toBeCloseTo(expected!, 9);
    }),
    { numRuns: 300, seed: 20_261_121 },
  );
});

it("is the polygon itself when there is one, and when all are the same", () => {
  const square = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 1 },
  ];
  expect(convexUnion([square])).toEqual(square);
  expect(area(convexUnion([square, square, square]))).toBe(1);
});
