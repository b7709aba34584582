import fc from "fast-check";
import { expect, it } from "vitest";
import {
  bandPath,
  chartFrame,
  linePath,
  nameWidth,
  placeLineName,
  placeNames,
  roundTop,
  symbolTimes,
} from "./chart.ts";

it("draws later to the right and higher to the top, breaks at missing values, and dots a value between two", () => {
  const frame = chartFrame([0, 10], [0, 4], 100, 40);
  const samples = [0, 1, Number.NaN, 4].map((value, index) => ({ time: (index * 10) / 3, value }));
  expect(linePath(samples, frame)).toBe("M0.0 40.0L33.3 30.0M100.0 0.0h0");
});

it("closes the band between two lines, and breaks it where either has no value", () => {
  const frame = chartFrame([0, 10], [0, 4], 100, 40);
  const lineOf = (values: number[]) => values.map((value, index) => ({ time: 2.5 * index, value }));
  const [lower, upper] = [lineOf([0, 1, Number.NaN, 1, 0]), lineOf([2, 3, 3, 3, 2])];
  expect(bandPath(lower, upper, frame)).toBe(
    "M0.0 20.0L25.0 10.0L25.0 30.0L0.0 40.0ZM75.0 10.0L100.0 20.0L100.0 40.0L75.0 30.0Z",
  );
  expect(bandPath(lineOf([1, Number.NaN]), lineOf([2, 2]), frame)).toBe("");
});

it("ends an axis at a round number that is not below the highest value", () => {
  expect([0.7, 3.2, 10, 41, 61].map(roundTop)).toEqual([0.8, 4, 10, 50, 80]);
});

it("places symbols at whole hours of the clock, never closer than their width", () => {
  const start = Date.UTC(2026, 8, 15) / 1000;
  const hours = Array.from({ length: 241 }, (_, index) => start + index * 3600);
  for (const [zone, width] of [
    [0, 348],
    [2 * 3600, 348],
    [0, 900],
    [0, 120],
  ] as const) {
    const times = symbolTimes(hours, width, 15, () => zone);
    expect(times.length).toBeGreaterThan(2);
    for (const [index, time] of times.entries()) {
      expect((time + zone) % 3600).toBe(0);
      if (index > 0) expect(((time - times[index - 1]!) * width) / 864_000).toBeGreaterThanOrEqual(15);
    }
    expect(times.some((time) => (time + zone) % 86_400 === 0)).toBe(true);
  }
});

it("names of lines never overlap, stay within the plot, and keep their order of importance", () => {
  const name = fc.record({
    x: fc.integer({ min: 0, max: 350 }),
    y: fc.integer({ min: -20, max: 150 }),
    text: fc.constantFrom("GFS", "ECMWF AIFS", "Copernicus MFWAM"),
  });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), fc.constantFrom(36, 64, 96), (names, height) => {
      const room = { width: 320, top: 16, bottom: 16 + height };
      const placed = placeNames(names, room);
      const boxes = placed.map(({ x, y, text }) => ({ left: x - 3, right: x - 3 + nameWidth(text), y }));
      for (const [index, { left, right, y }] of boxes.entries()) {
        expect(left).toBeGreaterThanOrEqual(-1e-9);
        expect(right).toBeLessThanOrEqual(room.width + 1e-9);
        expect(y).toBeGreaterThanOrEqual(room.top + 9);
        expect(y).toBeLessThanOrEqual(room.bottom - 2);
        for (const other of boxes.slice(index + 1))
          expect(other.right < left || other.left > right || Math.abs(other.y - y) >= 11).toBe(true);
      }
      expect(placed.length).toBeGreaterThanOrEqual(Math.min(names.length, Math.floor(height / 11 / 2)));
      if (names[0]) expect(placed[0]?.text).toBe(names[0].text);
    }),
  );
});

it("writes the name of a line where it covers no curve, if there is such a place, and within the plot", () => {
  const plot = { width: 300, top: 16, bottom: 80 };
  const name = "usual limit of gusts 45 kn";
  const width = 127;
  const height = fc.integer({ min: plot.top, max: plot.bottom });
  const curve = fc
    .array(height, { minLength: 2, maxLength: 40 })
    .map((heights) => heights.map((y, index) => ({ x: (index * plot.width) / (heights.length - 1), y })));
  fc.assert(
    fc.property(fc.array(curve, { minLength: 1, maxLength: 2 }), height, (curves, y) => {
      /** Whether a curve is nearer to the box of a text than a margin. */
      const covers = (left: number, baseline: number, margin: number) =>
        curves.some((points) =>
          points.slice(1).some((to, index) => {
            const from = points[index]!;
            return Array.from({ length: Math.ceil(to.x - from.x) + 1 }, (_, by) => {
              const share = Math.min(1, by / (to.x - from.x));
              return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
            }).some(
              (at) =>
                at.x > left - margin &&
                at.x < left + width + margin &&
                at.y > baseline - 8 - margin &&
                at.y < baseline + 2 + margin,
            );
          }),
        );
      const place = placeLineName(name, y, curves, plot);
      expect(place.x + width).toBeLessThanOrEqual(plot.width);
      expect(place.y - 8).toBeGreaterThanOrEqual(plot.top - 1);
      expect(place.y).toBeLessThan(plot.bottom);
      const isFree = [y - 3, y + 10]
        .filter((baseline) => baseline - 8 >= plot.top - 1 && baseline < plot.bottom)
        .some((baseline) =>
          Array.from({ length: 38 }, (_, index) => 4 * index + 2).some((left) => !covers(left, baseline, 4)),
        );
      if (isFree) expect(covers(place.x, place.y, 0)).toBe(false);
    }),
    { numRuns: 500, endOnFailure: true },
  );
});
