import { expect, it } from "vitest";
import { simplified } from "./simplify.ts";

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

it("with a limit on its points takes no longer than that many passes, whatever the line", () => {
  const count = 20_000;
  const spiral = line(count, (at) => [at * Math.cos(at / 10), at * Math.sin(at / 10)]);
  const { kept, within } = simplified(count, spiral.deviation, 1, 100);
  expect(kept).toHaveLength(100);
  expect(within).toBeGreaterThan(1);
  expect(spiral.measured()).toBeLessThan(100 * count);
});
