import { expect, it } from "vitest";
import { placeOnGrid, placeRows } from "./file.ts";

const range = (start: number, step: number, count: number) =>
  Float64Array.from({ length: count }, (_, i) => start + i * step);

it.each([
  { first: -180, step: 30, start: -180, firstColumn: 0 },
  { first: 0, step: 30, start: -180, firstColumn: 6 },
  { first: 15, step: 30, start: -165, firstColumn: 6 },
  { first: 20, step: 40, start: -180, firstColumn: 4 },
])("starts a global grid that begins at $first at $start", ({ first, step, start, firstColumn }) => {
  const placed = placeOnGrid([0, 1], range(first, step, 360 / step));
  expect(placed.grid.longitude).toEqual({ start, step, count: 360 / step });
  expect(placed.firstColumn).toBe(firstColumn);
});

it("continues a region that crosses the antimeridian past 180", () => {
  expect(placeOnGrid([0, 1], range(170, 5, 5)).grid.longitude).toEqual({ start: 170, step: 5, count: 5 });
  expect(placeOnGrid([0, 1], range(350, 5, 5)).grid.longitude).toEqual({ start: -10, step: 5, count: 5 });
});

it("places every value of a flipped, rotated global grid at its coordinates", () => {
  const latitudes = range(60, -60, 3);
  const longitudes = range(0, 90, 5); // 0, 90, 180, 270, and 360 again
  const placed = placeOnGrid(latitudes, longitudes);
  const stored = Float64Array.from(
    { length: 15 },
    (_, i) => latitudes[Math.floor(i / 5)]! * 1000 + (longitudes[i % 5]! % 360),
  );
  const out = new Float32Array(12);
  placeRows(placed, stored.subarray(0, 5), 5, 0, 3, out);
  placeRows(placed, stored.subarray(5), 5, 1, 3, out);
  expect([...out]).toEqual([-59820, -59730, -60000, -59910, 180, 270, 0, 90, 60180, 60270, 60000, 60090]);
});

it.each([
  ["a single latitude", [0], [0, 1], /latitude has 1 coordinate/],
  ["a gap", [0, 1, 2], [0, 1, 3], /longitude is not evenly spaced/],
  ["missing coordinates", [0, Number.NaN, 2], [0, 1], /latitude is not evenly spaced/],
  ["latitudes past the pole", [80, 90, 100], [0, 1], /latitude runs from 80 to 100/],
  ["more than a globe", [0, 1], range(0, 30, 15), /more than once/],
])("rejects %s", (_, latitudes, longitudes, reason) => {
  expect(() => placeOnGrid(latitudes, longitudes)).toThrow(reason);
});
