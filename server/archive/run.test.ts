import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { type Run, replaces } from "./run.ts";

const grid: Grid = {
  latitude: { start: 0, step: 1, count: 11 },
  longitude: { start: 0, step: 1, count: 11 },
};

function run(times: number[], more: Partial<Run> = {}): Run {
  const origin = { id: "", path: "", dataset: "Forecast", source: "gfs", model: "T" } as const;
  return { ...origin, referenceTime: 0, grid, times, levels: [1], fields: {}, ...more };
}

it.each<[string, number[], number[], boolean]>([
  ["a longer form of a segment", [0, 1, 2], [0, 1], true],
  ["a shorter form that begins with the same step", [0, 1], [0, 1, 2], true],
  ["the whole cycle, of each of its segments", [0, 1, 2, 3, 4], [2, 3, 4], true],
  ["a segment, of the one before it", [2, 3, 4], [0, 1, 2], false],
  ["a segment, of the one that goes on after it", [0, 1, 2], [2, 3, 4], false],
  ["a span, of one that ends later", [0, 1, 2, 3], [2, 3, 4], false],
])("%s", (_what, times, others, expected) => {
  expect(replaces(run(times), run(others))).toBe(expected);
});

it("leaves alone what is of another grid, source, dataset or reference time", () => {
  const wider = { ...grid, latitude: { ...grid.latitude, count: 12 } };
  for (const more of [
    { grid: wider },
    { source: "ecmwf" },
    { dataset: "Static" as const },
    { referenceTime: 1 },
  ])
    expect(replaces(run([0, 1]), run([0, 1], more))).toBe(false);
});
