import { expect, it } from "vitest";
import { clipRing } from "./clip-ring.ts";

const area = (ring: readonly number[][]) =>
  ring.slice(1).reduce((sum, [x = 0, y = 0], index) => {
    const [x0 = 0, y0 = 0] = ring[index]!;
    return sum + (x0 * y - x * y0) / 2;
  }, 0);

it("cuts a ring at the sides of a box, whichever way it turns", () => {
  const diamond = [
    [0, -2],
    [2, 0],
    [0, 2],
    [-2, 0],
    [0, -2],
  ];
  const box = [-1, -1, 1, 1] as const;
  expect(area(clipRing(diamond, box))).toBeCloseTo(4, 12);
  expect(area(clipRing(diamond.toReversed(), box))).toBeCloseTo(-4, 12);
  expect(area(clipRing(diamond, [0, 0, 5, 5]))).toBeCloseTo(2, 12);
});

it("divides a ring among boxes without loss", () => {
  const star = Array.from({ length: 40 }, (_, index) => {
    const [angle, radius] = [(index * Math.PI) / 20, index % 2 === 0 ? 9 : 3];
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const ring = [...star, star[0]!];
  let sum = 0;
  for (let west = -10; west < 10; west += 4) {
    for (let south = -10; south < 10; south += 4) {
      sum += area(clipRing(ring, [west, south, west + 4, south + 4]));
    }
  }
  expect(sum).toBeCloseTo(area(ring), 9);
});
