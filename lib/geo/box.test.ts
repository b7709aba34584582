import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, boxBetween, boxOfView, discBox, inBox, sectorBox, unionBox, viewOfBox } from "./box.ts";
import { destination } from "./sphere.ts";

const quadrants = ["ne", "se", "sw", "nw"] as const;
const place = fc.record({
  latitude: fc.double({ min: -65, max: 65, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const radius = fc.double({ min: 0, max: 900, noNaN: true });
const wider = ({ south, north, west, east }: Box, by: number): Box => ({
  south: south - by,
  north: north + by,
  west: ((west - by + 540) % 360) - 180,
  east: ((east + by + 540) % 360) - 180,
});

describe("the box of four quarter discs", () => {
  it("contains all their places, and no edge can be moved inwards", () => {
    fc.assert(
      fc.property(place, fc.tuple(radius, radius, radius, radius), (centre, [ne, se, sw, nw]) => {
        const reach = { ne, se, sw, nw };
        const box = sectorBox(centre, reach);
        const [outer, offsets] = [wider(box, 1e-6), { n: 90, s: 90, e: 360, w: 360 }];
        for (const [index, name] of quadrants.entries()) {
          for (let step = 0; step <= 90; step += 2) {
            const edge = destination(centre, 90 * index + step, reach[name]);
            expect(inBox(outer, edge)).toBe(true);
            offsets.n = Math.min(offsets.n, box.north - edge.latitude);
            offsets.s = Math.min(offsets.s, edge.latitude - box.south);
            offsets.e = Math.min(offsets.e, (box.east - edge.longitude + 720 + 1e-6) % 360);
            offsets.w = Math.min(offsets.w, (edge.longitude - box.west + 720 + 1e-6) % 360);
          }
        }
        expect(Math.max(...Object.values(offsets))).toBeLessThan(0.02);
      }),
      { numRuns: 100, seed: 20_261_121 },
    );
  });

  it("goes around the globe where it contains a pole", () => {
    expect(discBox({ latitude: 88, longitude: 10 }, 400)).toMatchObject({ north: 90, west: -180, east: 180 });
  });
});

describe("the box of several", () => {
  it("contains each of them, in any order, and is never wider than half the globe and the boxes", () => {
    const box = fc.record({
      south: fc.integer({ min: -60, max: 0 }),
      north: fc.integer({ min: 0, max: 60 }),
      west: fc.integer({ min: -180, max: 180 }),
      east: fc.integer({ min: -180, max: 180 }),
    });
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 6 }), (boxes) => {
        const union = unionBox(boxes)!;
        expect(unionBox([...boxes].reverse())).toEqual(union);
        for (const one of boxes) {
          const width = (one.east - one.west + 360) % 360;
          for (let share = 0; share <= 1; share += 0.125) {
            const longitude = ((one.west + share * width + 540) % 360) - 180;
            expect(inBox(union, { latitude: one.south, longitude })).toBe(true);
            expect(inBox(union, { latitude: one.north, longitude })).toBe(true);
          }
        }
      }),
      { seed: 20_261_121 },
    );
  });
});

it("a box between two clicks goes the shorter way, also across 180°", () => {
  const box = boxBetween({ latitude: 10, longitude: 170 }, { latitude: -5, longitude: -170 });
  expect(box).toEqual({ south: -5, north: 10, west: 170, east: 190 });
  expect(boxOfView(box)).toEqual({ south: -5, north: 10, west: 170, east: -170 });
  expect(viewOfBox(boxOfView(box))).toEqual(box);
});

it("a box is within the poles and goes once around the globe at most", () => {
  expect(boxOfView({ south: -95, north: 91, west: -300, east: 200 })).toEqual({
    south: -90,
    north: 90,
    west: -180,
    east: 180,
  });
});
