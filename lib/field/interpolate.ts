import { coordinate, type Grid, normaliseLongitude, wraps } from "@open-metocean/geo/grid";
import { type Frame, valueAtNode } from "./frame.ts";

/**
 * The only sampler, used by server and browser.
 *
 * It computes a weighted mean over the valid (not NaN) neighbours, with renormalised weights, if they have at
 * least half of the total weight; otherwise the result is missing. In space the neighbours are the four
 * corners of the cell, in time the two steps.
 */
export const MIN_VALID_WEIGHT = 0.5;

/** The four corners around a place and their bilinear weights, which add up to 1. */
export interface Cell {
  south: number;
  north: number;
  west: number;
  east: number;
  /** Weight of the north row, 0..1. */
  northward: number;
  /** Weight of the east column, 0..1. */
  eastward: number;
}

const EDGE = 1e-9;

/**
 * A place within this distance of a node, in cells, is the node itself, so the decimal coordinates of a node
 * give exactly its value.
 */
const ON_NODE = 1e-10;

/**
 * Finds the cell around a place.
 *
 * Longitudes are cyclic and may be in any convention; ±180 is one meridian. If a grid ends within half a row
 * of a pole, its last row is valid up to the pole.
 *
 * @param cell Written and returned, so that loops allocate nothing.
 * @returns undefined outside the grid.
 */
export function locate(grid: Grid, latitude: number, longitude: number, cell: Cell): Cell | undefined {
  const { latitude: rows, longitude: columns } = grid;
  const last = rows.count - 1;
  let row = (latitude - rows.start) / rows.step;
  if (row < 0) {
    const reachesPole = rows.start - rows.step / 2 <= -90 + EDGE;
    if (row < -EDGE && !(reachesPole && row >= -0.5 - EDGE)) return undefined;
    row = 0;
  } else if (row > last) {
    const reachesPole = rows.start + (last + 0.5) * rows.step >= 90 - EDGE;
    if (row > last + EDGE && !(reachesPole && row <= last + 0.5 + EDGE)) return undefined;
    row = last;
  }
  row = onNode(row);
  cell.south = Math.min(Math.floor(row), Math.max(0, last - 1));
  cell.north = Math.min(cell.south + 1, last);
  cell.northward = row - cell.south;

  const turn = 360 / columns.step;
  let column = ((((longitude - columns.start) / columns.step) % turn) + turn) % turn;
  if (wraps(columns)) {
    column = onNode(column);
    if (column >= columns.count) column -= columns.count;
    cell.west = Math.floor(column);
    cell.east = cell.west + 1 === columns.count ? 0 : cell.west + 1;
  } else {
    // A place west of the first column by a rounding error belongs to the first column, not one turn east of
    // it.
    if (column > turn - EDGE) column = 0;
    const lastColumn = columns.count - 1;
    if (column > lastColumn + EDGE) return undefined;
    if (column > lastColumn) column = lastColumn;
    column = onNode(column);
    cell.west = Math.min(Math.floor(column), Math.max(0, lastColumn - 1));
    cell.east = Math.min(cell.west + 1, lastColumn);
  }
  cell.eastward = column - cell.west;
  return cell;
}

/**
 * Finds the cell around a place as `locate` does, and requires its corners to lie inside the grid's outline.
 *
 * @returns undefined outside the grid or its outline, where values may be missing although rows and columns
 * reach there.
 */
export function locateInside(grid: Grid, latitude: number, longitude: number, cell: Cell): Cell | undefined {
  if (!locate(grid, latitude, longitude, cell)) return undefined;
  const { outline } = grid;
  if (!outline) return cell;
  for (const row of [cell.south, cell.north])
    for (const column of [cell.west, cell.east])
      if (!isIn(outline, coordinate(grid.longitude, column), coordinate(grid.latitude, row)))
        return undefined;
  return cell;
}

/** Whether a place lies in a polygon, by counting the crossings of a line to the east. */
function isIn(outline: NonNullable<Grid["outline"]>, longitude: number, latitude: number): boolean {
  // x lies within half a turn of the first corner. The outline is less than a turn wide, so one turn to either
  // side covers it.
  const x = outline[0]![0] + normaliseLongitude(longitude - outline[0]![0]);
  let inside = false;
  for (const turn of [0, 360, -360]) {
    let [before, below] = outline.at(-1)!;
    for (const [east, north] of outline) {
      if (below > latitude !== north > latitude) {
        const crossing = before + ((latitude - below) / (north - below)) * (east - before);
        if (x + turn < crossing) inside = !inside;
      }
      [before, below] = [east, north];
    }
    if (inside) return true;
  }
  return false;
}

function onNode(position: number): number {
  const node = Math.round(position);
  return Math.abs(position - node) < ON_NODE ? node : position;
}

/** A cell for `locate` to write into. */
export function emptyCell(): Cell {
  return { south: 0, north: 0, west: 0, east: 0, northward: 0, eastward: 0 };
}

/**
 * Bilinear mean of four corners, NaN = missing.
 *
 * @param southWest Value at the south-west corner; the others likewise.
 */
export function blendCorners(
  cell: Cell,
  southWest: number,
  southEast: number,
  northWest: number,
  northEast: number,
): number {
  const { northward, eastward } = cell;
  let sum = 0;
  let weight = 0;
  let share = (1 - northward) * (1 - eastward);
  if (!Number.isNaN(southWest)) {
    sum += share * southWest;
    weight += share;
  }
  share = (1 - northward) * eastward;
  if (!Number.isNaN(southEast)) {
    sum += share * southEast;
    weight += share;
  }
  share = northward * (1 - eastward);
  if (!Number.isNaN(northWest)) {
    sum += share * northWest;
    weight += share;
  }
  share = northward * eastward;
  if (!Number.isNaN(northEast)) {
    sum += share * northEast;
    weight += share;
  }
  return weight >= MIN_VALID_WEIGHT - EDGE ? sum / weight : Number.NaN;
}

/**
 * Linear mean of two steps, NaN = missing.
 *
 * @param later Share of the later step, 0..1.
 */
export function blendSteps(before: number, after: number, later: number): number {
  if (!Number.isNaN(before) && !Number.isNaN(after)) return before + (after - before) * later;
  if (!Number.isNaN(before)) return 1 - later >= MIN_VALID_WEIGHT - EDGE ? before : Number.NaN;
  return later >= MIN_VALID_WEIGHT - EDGE ? after : Number.NaN;
}

/** The two steps around an instant, and the weight of the later one. */
interface Bracket {
  before: number;
  after: number;
  later: number;
}

/**
 * Finds the steps around an instant.
 *
 * @param steps Ascending, Unix seconds.
 * @param time Unix seconds.
 * @param validFor How long the last step stays valid after its own time, seconds (a daily analysis that is
 * persisted).
 * @returns Indices into `steps`, the same one twice with share 0 exactly on a step; undefined outside the
 * steps.
 */
export function bracket(steps: ArrayLike<number>, time: number, validFor = 0): Bracket | undefined {
  const last = steps.length - 1;
  if (last < 0 || !(time >= steps[0]!) || time > steps[last]! + validFor) return undefined;
  if (time >= steps[last]!) return { before: last, after: last, later: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= time) low = middle;
    else high = middle;
  }
  if (steps[low] === time) return { before: low, after: low, later: 0 };
  return { before: low, after: high, later: (time - steps[low]!) / (steps[high]! - steps[low]!) };
}

/** The two frames around an instant, on one grid with the same bands, and the share of the later one (0..1). */
export interface FramePair {
  before: Frame;
  after: Frame;
  later: number;
}

const cell = emptyCell();

/**
 * Value of one band at a place and an instant, by the sampler of the API: bilinear in space, then linear in time.
 *
 * @returns In the band's unit; NaN where it is missing or outside the grid.
 */
export function sampleBand(pair: FramePair, band: number, latitude: number, longitude: number): number {
  const { before, after, later } = pair;
  const earlier = sampleFrame(before, band, latitude, longitude);
  return later === 0 ? earlier : blendSteps(earlier, sampleFrame(after, band, latitude, longitude), later);
}

/** Value of one band of one frame at a place; NaN where it is missing or outside the grid. */
function sampleFrame(frame: Frame, band: number, latitude: number, longitude: number): number {
  if (!locate(frame.grid, latitude, longitude, cell)) return Number.NaN;
  const { south, north, west, east } = cell;
  const width = frame.grid.longitude.count;
  return blendCorners(
    cell,
    valueAtNode(frame, south * width + west, band),
    valueAtNode(frame, south * width + east, band),
    valueAtNode(frame, north * width + west, band),
    valueAtNode(frame, north * width + east, band),
  );
}
