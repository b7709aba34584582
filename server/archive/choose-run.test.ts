import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { runOf } from "#test/archive.ts";
import { chooseRun } from "./choose-run.ts";
import type { Manifest } from "./run.ts";

const NOW = Date.UTC(2026, 0, 1) / 1000;
const globe: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};
/** A box of ten degrees with values in its south-eastern half only. */
const half: Grid = {
  latitude: { start: 50, step: 0.5, count: 21 },
  longitude: { start: 0, step: 0.5, count: 21 },
  outline: [
    [0, 50],
    [10, 50],
    [10, 60],
  ],
};

const run = (source: string, grid: Grid) =>
  runOf({ id: source, source, grid, referenceTime: NOW, times: [NOW, NOW + 3600] });
const sourceAt = (manifest: Manifest, latitude: number, longitude: number) => {
  const found = chooseRun(manifest, "wind", latitude, longitude, NOW, NOW);
  return typeof found === "string" ? found : found.source;
};

it("inside the box of a regional grid and outside its outline the next source answers", () => {
  const manifest: Manifest = { version: 1, runs: [run("own", half), run("gfs", globe)] };
  expect(sourceAt(manifest, 51, 8)).toBe("own");
  expect(sourceAt(manifest, 51, 368)).toBe("own");
  expect(sourceAt(manifest, 58, 2)).toBe("gfs");
  // A cell that the outline cuts may lack corners.
  expect(sourceAt(manifest, 55.1, 5.3)).toBe("gfs");
});

it("where no other source answers, the one whose box it is does", () => {
  const manifest: Manifest = { version: 1, runs: [run("own", half)] };
  expect(sourceAt(manifest, 58, 2)).toBe("own");
  expect(sourceAt(manifest, 48, 2)).toBe("out_of_domain");
});
