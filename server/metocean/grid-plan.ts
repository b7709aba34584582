import { type DatasetName, datasetNames } from "#lib/catalog/datasets.ts";
import { outputsIn } from "#lib/catalog/fields.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { type Grid, wraps } from "#lib/field/grid.ts";
import { emptyCell, locate } from "#lib/field/interpolate.ts";
import { eastwards, type GridWindow } from "#lib/field/window.ts";
import type { Box } from "#lib/geo/box.ts";
import { type Candidate, candidates, candidatesAt, datasetFor } from "#server/archive/choose-run.ts";
import { type Manifest, type Run, stepsWith } from "#server/archive/run.ts";

/** Used when no published run could answer. */
const wholeDegrees: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};

/** The runs that may answer for one variable. */
export interface Archive {
  manifest: Manifest;
  name: VariableName;
  /** Weather clock, Unix seconds. */
  now: number;
}

/** The box; along an axis on which it contains no node, the nearest node instead. */
export function narrowedTo({ latitude, longitude }: GridWindow, box: Box): Box {
  const narrowed = { ...box };
  if (latitude.length === 1) narrowed.south = narrowed.north = latitude[0]!;
  if (longitude.length === 1) narrowed.west = narrowed.east = longitude[0]!;
  return narrowed;
}

/** The preferred run for a box at an instant, and whether it answers everywhere in it. */
export function answeringRun(
  { manifest, name, now }: Archive,
  box: Box,
  time: number,
): { run: Run; everywhere: boolean } | undefined {
  const dataset = datasetFor(name, time, now);
  if (!dataset) return undefined;
  let partly: Run | undefined;
  for (const { run, first, last } of candidatesAt(manifest, dataset, name, time)) {
    if (dataset !== "Static" && (time < first || time > last)) continue;
    if (covers(run.grid, box)) return { run, everywhere: partly === undefined };
    if (overlaps(run.grid, box)) partly ??= run;
  }
  return partly && { run: partly, everywhere: false };
}

/**
 * Native steps inside a closed range, of the runs that answer at them, ascending. None for what does not change with time.
 *
 * @param from Unix seconds; `to` likewise.
 */
export function nativeSteps(archive: Archive, box: Box, from: number, to: number): number[] {
  if (variable(archive.name).static) return [];
  const found = new Set<number>();
  for (const { run } of allCandidates(archive)) {
    const steps = outputsIn(run.fields, archive.name).flatMap(({ of }) => stepsWith(run, of) ?? []);
    for (const step of new Set(steps)) {
      const time = run.times[step]!;
      if (time < from || time > to || found.has(time)) continue;
      if (answeringRun(archive, box, time)?.run === run) found.add(time);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * The finest grid of the runs that answer for any of the variables; else of one that could; else whole degrees.
 *
 * @param times Unix seconds.
 */
export function gridFor(archives: readonly Archive[], box: Box, times: readonly number[]): Grid {
  const answering = archives.flatMap((archive) =>
    times.flatMap((time) => answeringRun(archive, box, time)?.run.grid ?? []),
  );
  const known =
    answering.length > 0
      ? answering
      : archives.flatMap(allCandidates).flatMap(({ run }) => (overlaps(run.grid, box) ? [run.grid] : []));
  // Every node of the answer has to exist: a regional grid is used only if no grid covers the whole box.
  const wide = known.filter((grid) => covers(grid, box));
  return finest(wide.length > 0 ? wide : known) ?? wholeDegrees;
}

function allCandidates({ manifest, name }: Archive): Candidate[] {
  return datasetNames.flatMap((dataset: DatasetName) => candidates(manifest, dataset, name));
}

function finest(grids: readonly Grid[]): Grid | undefined {
  const cell = ({ latitude, longitude }: Grid) => latitude.step * longitude.step;
  return grids.reduce<Grid | undefined>(
    (best, grid) => (best && cell(best) <= cell(grid) ? best : grid),
    undefined,
  );
}

const EDGE = 1e-9;
const cell = emptyCell();

/** Whether a grid answers at every place of a box. */
function covers(grid: Grid, { south, north, west, east }: Box): boolean {
  if (!locate(grid, south, west, cell) || !locate(grid, north, west, cell)) return false;
  if (wraps(grid.longitude)) return true;
  return eastwards(west - grid.longitude.start) + width(west, east) <= reach(grid) + EDGE;
}

/** Whether a grid answers anywhere in a box. */
function overlaps(grid: Grid, { south, north, west, east }: Box): boolean {
  const rows = grid.latitude;
  const top = rows.start + (rows.count - 1) * rows.step;
  const inRows =
    locate(grid, south, grid.longitude.start, cell) || locate(grid, north, grid.longitude.start, cell);
  if (!inRows && !(south <= rows.start && north >= top)) return false;
  if (wraps(grid.longitude)) return true;
  const { start } = grid.longitude;
  return eastwards(west - start) <= reach(grid) + EDGE || eastwards(start - west) <= width(west, east) + EDGE;
}

/** Degrees from the first to the last column. */
function reach({ longitude }: Grid): number {
  return (longitude.count - 1) * longitude.step;
}

function width(west: number, east: number): number {
  return west > east ? east + 360 - west : east - west;
}
