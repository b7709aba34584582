import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitLine, splitRing } from "./antimeridian.ts";
import { inRing } from "./ring.ts";
import { destination, type Place } from "./sphere.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

describe("a line", () => {
  it("is cut where it crosses 180°, at the right latitude", () => {
    expect(splitLine([at(10, 178), at(12, -178), at(14, -174)])).toEqual([
      [at(10, 178), at(11, 180)],
      [at(11, -180), at(12, -178), at(14, -174)],
    ]);
  });
});

describe("a ring", () => {
  const square = [at(0, 170), at(0, -170), at(20, -170), at(20, 170), at(0, 170)];

  it("is cut into closed rings on one side each, with the same orientation", () => {
    const parts = splitRing(square);
    expect(parts).toHaveLength(2);
    for (const part of parts) expect(part[0]).toEqual(part.at(-1));
    const sides = parts.map((part) => part.map(({ longitude }) => Math.sign(longitude)));
    expect(sides.map((signs) => new Set(signs).size)).toEqual([1, 1]);
  });

  it("contains the same places as before, for any shape and cut", () => {
    const shape = fc.array(fc.double({ min: 200, max: 1500, noNaN: true }), { minLength: 3, maxLength: 20 });
    const centre = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 170, max: 190 }));
    fc.assert(
      fc.property(shape, centre, (radii, [latitude, longitude]) => {
        const corners = radii.map((km, index) =>
          destination(at(latitude, longitude), (-360 * index) / radii.length, km),
        );
        const ring = [...corners, corners[0]!];
        const parts = splitRing(ring);
        for (let step = 0; step < 40; step++) {
          const place: Place = destination(at(latitude, longitude), step * 47, 37 * step);
          expect(parts.filter((part) => inRing(part, place))).toHaveLength(inRing(ring, place) ? 1 : 0);
        }
      }),
      { seed: 20_261_121 },
    );
  });
});
