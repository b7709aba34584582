import { expect, it } from "vitest";
import { edgeDistance, simplified } from "./ring.ts";
import { destination, toArc } from "./sphere.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

it("is the least of the distances to the arcs", () => {
  const ring = Array.from({ length: 13 }, (_, index) => destination(at(-35, 20), -30 * index, 400));
  const distance = edgeDistance(ring);
  for (let bearing = 5; bearing < 360; bearing += 37) {
    for (const km of [50, 390, 900, 5000]) {
      const place = destination(at(-35, 20), bearing, km);
      const least = Math.min(...ring.slice(1).map((to, index) => toArc(place, ring[index]!, to).km));
      expect(distance(place)).toBeCloseTo(least, 6);
    }
  }
});

const line = (count: number, of: (at: number) => readonly [number, number]) => {
  const points = Array.from({ length: count }, (_, at) => of(at));
  let measured = 0;
  const deviation = (from: number, to: number) => {
    const [[ax, ay], [bx, by]] = [points[from]!, points[to]!];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    return (at: number) => {
      measured++;
      const [x, y] = points[at]!;
      return Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
    };
  };
  return { deviation, measured: () => measured };
};

it("keeps the corners of a line, and says how far off the others are", () => {
  const { deviation } = line(201, (at) => [at, at < 100 ? 0.01 * (at % 2) : at - 100]);
  expect(simplified(201, deviation, 0.1)).toEqual({ kept: [0, 100, 200], within: 0.01 });
});
