import { expect, it } from "vitest";
import {
  currentArrow,
  currentLength,
  feathersOf,
  turned,
  waveArrow,
  waveLength,
  windBarb,
} from "./symbols.ts";

it("gives a current an open head at its forward end, and a wave a filled one with a shaft", () => {
  const [current, wave] = [currentArrow(24), waveArrow(24)];
  expect([current.filled.length, current.lines.length, wave.lines.length]).toEqual([0, 2, 1]);
  const [left, tip, right] = current.lines[1]!;
  expect(tip).toEqual([0, 12]);
  expect(Math.max(left![1], right![1])).toBeLessThan(12);
  expect(Math.max(...wave.filled[0]!.map(([, y]) => y))).toBe(12);
  expect(wave.lines[0]![0]).toEqual([0, -12]);
});

it("draws a current of four times the speed twice as long", () => {
  expect(currentLength(0.5) / currentLength(0.125)).toBeCloseTo(2, 10);
  expect(waveLength(2) / waveLength(0.5)).toBeCloseTo(2, 10);
});

/** Ends of the feathers on a map with north up: x eastward, y northward. */
function tips(knots: number, latitude: number, from: number) {
  const { lines, filled } = windBarb(knots, latitude);
  return [...lines.slice(1).map((line) => line[1]!), ...filled.map((polygon) => polygon[2]!)].map((tip) =>
    turned(tip, from),
  );
}

it.each([
  [2.4, undefined],
  [2.5, { pennants: 0, full: 0, half: 1 }],
  [7.4, { pennants: 0, full: 0, half: 1 }],
  [7.5, { pennants: 0, full: 1, half: 0 }],
  [35, { pennants: 0, full: 3, half: 1 }],
  [47.5, { pennants: 1, full: 0, half: 0 }],
  [65, { pennants: 1, full: 1, half: 1 }],
  [127, { pennants: 2, full: 2, half: 1 }],
])("%d kn is rounded to 5 kn and drawn as %o", (knots, feathers) => {
  expect(feathersOf(knots)).toEqual(feathers);
});

it("draws as many feathers as it counts", () => {
  for (let knots = 5; knots <= 200; knots += 5) {
    const { lines, filled } = windBarb(knots, 20);
    const reach = Math.max(...windBarb(10, 20).lines[1]!.map(([x]) => x));
    const full = lines.slice(1).filter((line) => line[1]![0] === reach).length;
    const half = lines.length - 1 - full;
    expect(50 * filled.length + 10 * full + 5 * half).toBe(knots);
  }
});

it("draws a calm as a ring without a shaft", () => {
  const { lines, filled, rings } = windBarb(1, 20);
  expect([lines.length, filled.length, rings.length]).toEqual([0, 0, 1]);
});

it.each([0, 90, 200])("leads the shaft from the place to where the wind comes from, %d°", (from) => {
  const shaft = windBarb(25, 20).lines[0]!.map((point) => turned(point, from));
  expect(Math.hypot(...shaft[0]!)).toBe(0);
  const [east, north] = shaft[1]!;
  expect(((Math.atan2(east, north) * 180) / Math.PI + 360) % 360).toBeCloseTo(from, 9);
});

it("draws the feathers of an easterly south of the shaft at 20° N, and at the equator", () => {
  for (const latitude of [20, 0]) {
    for (const [, north] of tips(65, latitude, 90)) expect(north).toBeLessThan(-2);
  }
});
