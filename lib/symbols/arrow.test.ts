import { expect, it } from "vitest";
import { currentArrow, currentLength, waveArrow, waveLength } from "./arrow.ts";

const highest = (points: readonly (readonly [number, number])[]) => Math.max(...points.map(([, y]) => y));

it("gives a current an open head at its forward end and nothing filled", () => {
  const { lines, filled } = currentArrow(24);
  expect(filled).toEqual([]);
  expect(lines).toHaveLength(2);
  const head = lines[1]!;
  expect(head[1]).toEqual([0, 12]);
  expect(head[0]![1]).toBeLessThan(12);
  expect(head[2]![1]).toBeLessThan(12);
});

it("gives a wave a filled head at its forward end and only a shaft besides", () => {
  const { lines, filled } = waveArrow(24);
  expect(lines).toHaveLength(1);
  expect(highest(filled[0]!)).toBe(12);
  expect(lines[0]![0]).toEqual([0, -12]);
});

it("centres both on their place", () => {
  for (const { lines, filled } of [currentArrow(30), waveArrow(30)]) {
    const heights = [...lines, ...filled].flat().map(([, y]) => y);
    expect(Math.max(...heights)).toBe(15);
    expect(Math.min(...heights)).toBe(-15);
  }
});

it("makes a current of four times the speed twice as long", () => {
  expect(currentLength(0.5) / currentLength(0.125)).toBeCloseTo(2, 10);
  expect(waveLength(2) / waveLength(0.5)).toBeCloseTo(2, 10);
});

it("keeps lengths on the map's scale, from slack water to a tide race", () => {
  expect(currentLength(0)).toBe(8);
  expect(currentLength(9)).toBe(44);
});
