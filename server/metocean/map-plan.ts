import { acceptedTimes, datasetByAge, datasetNames } from "#lib/catalog/datasets.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { variable } from "#lib/catalog/variables.ts";
import type { Map2dVariable, MapBox, MapRequest } from "#lib/contract/map2d.ts";
import { type Grid, sameGrid, wraps } from "#lib/field/grid.ts";
import { emptyCell, locate } from "#lib/field/interpolate.ts";
import { eastwards, type GridWindow, windowOf } from "#lib/field/window.ts";
import type { Box } from "#lib/geo/box.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { type Candidate, candidates } from "#server/archive/choose-run.ts";
import { type Manifest, type Run, stepsWith } from "#server/archive/run.ts";

/** A 2D request resolved to a grid, nodes and instants. */
export interface MapPlan {
  variable: Map2dVariable;
  outputs: readonly (Output & { map2d: string })[];
  grid: Grid;
  window: GridWindow;
  isRange: boolean;
  steps: readonly MapPlanStep[];
  /** steps × rows × columns × fields. */
  values: number;
}

export interface MapPlanStep {
  /** Unix seconds. */
  time: number;
  /** As requested, or as the native step is written. */
  timestamp: string;
  /** The run that answers every node on the plan's grid; undefined if the run has to be chosen for each node. */
  run?: Run;
}

/** A time outside the window; `at` is its position in the timestamp, if that is a list. */
export interface MapTimeIssue {
  at?: number;
  message: string;
}

/** Requested times outside the window. @param now Weather clock, Unix seconds. */
export function mapTimeIssues(request: Pick<MapRequest, "bounding_boxes">, now: number): MapTimeIssue[] {
  const { first, last } = acceptedTimes(now);
  const { timestamp } = request.bounding_boxes[0]!;
  const message = `Input should be from ${formatInstant(first)} (3 years back) to ${formatInstant(last)} (10 days ahead)`;
  const outside = (text: string) => parseInstant(text) < first || parseInstant(text) > last;
  if (typeof timestamp === "string") return outside(timestamp) ? [{ message }] : [];
  return timestamp.flatMap((text, at) => (outside(text) ? [{ at, message }] : []));
}

/** Used when no published run could answer. */
const wholeDegrees: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};

/**
 * Plans a 2D answer.
 *
 * A range has the native steps inside it, of whichever run answers at each; without any, its two ends. All instants share
 * one grid: the finest among the runs that answer. Where another run answers, be it of another dataset or at some nodes
 * only, the sampler of the points brings it to that grid, so that a node's number is always that of `POST /MetOcean`.
 *
 * @param now Weather clock, Unix seconds.
 */
export function planMap(manifest: Manifest, request: MapRequest, now: number): MapPlan {
  const requested = request.bounding_boxes[0]!;
  const name = request.variable;
  const box = boxOf(requested);
  const archive = { manifest, name, now };
  const isRange = typeof requested.timestamp !== "string";
  const ends = typeof requested.timestamp === "string" ? [requested.timestamp] : requested.timestamp;
  const times = isRange ? rangeTimes(archive, box, ends) : ends;
  const grid = gridFor(archive, box, times);
  const window = windowOf(grid, box);
  const narrowed = narrowedTo(window, box);
  const outputs = outputsOf(name);
  const steps = times.map((timestamp) => {
    const time = parseInstant(timestamp);
    const answering = answeringRun(archive, narrowed, time);
    const run = answering?.everywhere && sameGrid(answering.run.grid, grid) ? answering.run : undefined;
    return { time, timestamp, run };
  });
  const values = steps.length * window.rows * window.columns.length * outputs.length;
  return { variable: name, outputs, grid, window, isRange, steps, values };
}

function outputsOf(name: Map2dVariable): (Output & { map2d: string })[] {
  const outputs: readonly Output[] = variable(name).outputs;
  return outputs.filter((output): output is Output & { map2d: string } => output.map2d !== undefined);
}

function boxOf({ latitude, longitude }: MapBox): Box {
  return { south: latitude[0]!, north: latitude[1]!, west: longitude[0]!, east: longitude[1]! };
}

/** The box; along an axis on which it contains no node, the nearest node instead. */
function narrowedTo({ latitude, longitude }: GridWindow, box: Box): Box {
  const narrowed = { ...box };
  if (latitude.length === 1) narrowed.south = narrowed.north = latitude[0]!;
  if (longitude.length === 1) narrowed.west = narrowed.east = longitude[0]!;
  return narrowed;
}

interface Archive {
  manifest: Manifest;
  name: Map2dVariable;
  /** Weather clock, Unix seconds. */
  now: number;
}

/** The preferred run for a box at an instant, and whether it answers everywhere in it. */
function answeringRun(
  { manifest, name, now }: Archive,
  box: Box,
  time: number,
): { run: Run; everywhere: boolean } | undefined {
  let partly: Run | undefined;
  for (const { run, first, last } of candidates(manifest, datasetByAge(time, now), name)) {
    if (time < first || time > last) continue;
    if (covers(run.grid, box)) return { run, everywhere: partly === undefined };
    if (overlaps(run.grid, box)) partly ??= run;
  }
  return partly && { run: partly, everywhere: false };
}

/** Native steps inside a closed range, of the runs that answer at them; without any, the distinct ends of the range. */
function rangeTimes(archive: Archive, box: Box, ends: readonly string[]): string[] {
  const [start, end] = ends.map(parseInstant) as [number, number];
  const firstFields = outputsOf(archive.name)[0]?.of ?? [];
  const found = new Set<number>();
  for (const { run } of allCandidates(archive)) {
    for (const step of stepsWith(run, firstFields) ?? []) {
      const time = run.times[step]!;
      if (time < start || time > end || found.has(time)) continue;
      if (answeringRun(archive, box, time)?.run === run) found.add(time);
    }
  }
  if (found.size === 0) return [...new Set(ends)];
  return [...found].sort((a, b) => a - b).map(formatInstant);
}

function allCandidates({ manifest, name }: Archive): Candidate[] {
  return datasetNames.flatMap((dataset) => candidates(manifest, dataset, name));
}

/** The finest grid of the runs that answer; else of one that could; else whole degrees. */
function gridFor(archive: Archive, box: Box, times: readonly string[]): Grid {
  const answering = times.flatMap((time) => answeringRun(archive, box, parseInstant(time))?.run.grid ?? []);
  const known =
    answering.length > 0
      ? answering
      : allCandidates(archive).flatMap(({ run }) => (overlaps(run.grid, box) ? [run.grid] : []));
  // Every node of the answer has to exist: a regional grid is used only if no grid covers the whole box.
  const wide = known.filter((grid) => covers(grid, box));
  return finest(wide.length > 0 ? wide : known) ?? wholeDegrees;
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
