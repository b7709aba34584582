import { expect, test } from "vitest";
import { ensembleCaution } from "./caution.ts";

const runOf = (north: number, east: number) => ({
  grid: { latitude: { start: 0, step: north, count: 2 }, longitude: { start: 0, step: east, count: 2 } },
});

test("the caution names the coarsest grid, and no grid where no run answers", () => {
  expect(ensembleCaution([runOf(0.25, 0.25), runOf(0.25, 0.5)])).toContain("a grid of 0.5° (56 km)");
  expect(ensembleCaution([runOf(1 / 3, 1 / 3)])).toContain("0.333° (37 km)");
  expect(ensembleCaution([])).toMatch(/not calibrated probabilities.* squall or a thunderstorm\.$/);
});
