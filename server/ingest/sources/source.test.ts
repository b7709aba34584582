import { expect, it } from "vitest";
import {
  bearingX,
  bearingY,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  depthBelow,
} from "./source.ts";

const of = (...values: number[]) => Float32Array.from(values);
const N = Number.NaN;

it("adds the energies of swell partitions, and distinguishes missing from calm", () => {
  expect([...combinedHeight([of(3, 3, N, 0), of(4, N, N, 0)])]).toEqual([5, 3, N, 0]);
});

it("weights periods by energy", () => {
  // The energies are 9 and 16: (9 · 10 + 16 · 5) / 25.
  expect([...combinedPeriod([of(3, 3, N, 0), of(10, 10, 10, 10), of(4, N, N, 0), of(5, 5, 5, 5)])]).toEqual([
    expect.closeTo(6.8, 5),
    10,
    N,
    N,
  ]);
});

it("averages directions across north as vectors, not as angles", () => {
  const inputs = () => [of(2), of(350), of(2), of(10)];
  expect(combinedDirection("x")(inputs())[0]).toBeCloseTo(0, 6);
  expect(combinedDirection("y")(inputs())[0]).toBeCloseTo(1, 6);
});

it("has no direction if partitions are missing or have no height", () => {
  expect([...combinedDirection("x")([of(N, 0), of(90, 90)])]).toEqual([N, N]);
});

it("stores a bearing as sine and cosine: waves from the east have x = 1", () => {
  expect(bearingX([of(90)])[0]).toBeCloseTo(1, 6);
  expect(bearingY([of(90)])[0]).toBeCloseTo(0, 6);
});

it("has depths at sea and nothing on land", () => {
  expect([...depthBelow([of(-4321.5, 0, 12, N)])]).toEqual([4321.5, N, N, N]);
});
