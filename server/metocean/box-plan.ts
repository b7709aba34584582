import type { Box } from "@open-metocean/geo/box";
import { type Grid, sameGrid, wraps } from "@open-metocean/geo/grid";
import { type DatasetName, datasetNames } from "#lib/catalog/datasets.ts";
import { type FieldName, outputsIn } from "#lib/catalog/fields.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { MapRequest } from "#lib/contract/map2d.ts";
import { emptyCell, locate, locateInside } from "#lib/field/interpolate.ts";
import type { Decimals } from "#lib/field/map-field.ts";
import { eastwards, type GridWindow, windowOf } from "#lib/field/window.ts";
import { componentName, componentOf } from "#lib/table/table.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { datasetFor } from "#server/archive/choose-run.ts";
import { manifestOfModel } from "#server/archive/one-model.ts";
import { type Manifest, type Run, stepsWith } from "#server/archive/run.ts";
import { type Candidate, candidates, candidatesAt } from "#server/archive/run-order.ts";
import { ProcessingError } from "#server/platform/errors.ts";

/** Describes how a number of an answer is derived from stored fields. */
export type BoxRow = Output | { is: "value"; of: readonly [FieldName]; decimals: Decimals };

/** A field of the answer. */
export interface BoxOutput {
  variable: VariableName;
  name: string;
  unit: string;
  title: string;
  decimals: Decimals;
  row: BoxRow;
}

/** A box of any variables over a range of times. */
export interface BoxQuestion {
  /** Degrees; west > east crosses the antimeridian. */
  box: Box;
  variables: readonly VariableName[];
  /** Default: all outputs of the variables. */
  outputs?: readonly BoxOutput[];
  /** First and last instant, Unix seconds, both included. */
  from: number;
  to: number;
  /** false: one instant, whose answer has no time axis. Default true. */
  isRange?: boolean;
  /**
   * Restricts instants to multiples of this many hours since midnight UTC, a divisor of 24; undefined takes the native
   * steps of all variables.
   */
  stepHours?: number;
  /** Takes every n-th row and column, from the south-west node on. Default 1. */
  stride?: number;
  /** Height of the wind, metres, 10 … 100. Default 10. */
  windHeight?: number;
  /** Models, each of which answers alone. Default: the source that stands first for a variable. */
  models?: readonly string[] | undefined;
  /** How many numbers are read or written for each field of a node, such as members of an ensemble. Default 1. */
  layers?: number;
}

/** An answer to a box: that of the archive, or of one model of the request. */
export interface BoxAnswer {
  /** Undefined if the request names none. */
  model?: string | undefined;
  /** The manifest from which it answers. */
  manifest: Manifest;
  /** The run that answers a variable at every node on the plan's grid; undefined if the run has to be chosen for each node. */
  runFor(name: VariableName, time: number): Run | undefined;
}

/** A question resolved to one grid and one set of instants, for all variables. */
export interface BoxPlan {
  variables: readonly VariableName[];
  outputs: readonly BoxOutput[];
  windHeight: number;
  grid: Grid;
  /** All nodes of the grid inside the box. */
  native: GridWindow;
  /** Every n-th row and column of `native` belongs to the answer. */
  stride: number;
  /** Nodes of the answer: degrees north, ascending, and degrees east, −180..180, west to east. */
  latitude: Float64Array;
  longitude: Float64Array;
  /** Instants of the answer, Unix seconds, ascending. */
  times: readonly number[];
  isRange: boolean;
  /** Number of values: steps × rows × columns × fields × models × layers. */
  values: number;
  layers: number;
  /** One answer, or one for each model of the request, in its order. */
  answers: readonly [BoxAnswer, ...BoxAnswer[]];
}

/** How many values an answer may have. */
export interface MapSizeLimit {
  max: number;
  /** Alternative that the error message suggests. */
  instead: string;
}

/** The answer would have more values than one request may ask for. */
export class MapTooLargeError extends ProcessingError {
  override readonly name = "MapTooLargeError";
  readonly values: number;
  readonly max: number;
  constructor(
    { times, latitude, longitude, outputs, answers, layers, values }: BoxPlan,
    { max, instead }: MapSizeLimit,
  ) {
    const parts = Math.ceil(values / max);
    const steps = times.length;
    const how = steps >= parts ? `ranges of ${Math.floor(steps / parts)} steps` : `${parts} boxes`;
    super(
      `The box holds ${values} values (${steps} steps × ${latitude.length} rows × ${longitude.length} columns × ` +
        `${outputs.length} fields${answers.length > 1 ? ` × ${answers.length} models` : ""}${layers > 1 ? ` × ${layers} members` : ""}), and at most ${max} are answered at once: request ${how} or less, ${instead}`,
    );
    this.values = values;
    this.max = max;
  }
}

/** The question of POST /2DMetOcean: one variable, the outputs that have a name there. */
export function mapQuestion({ bounding_boxes, variable: name, models }: MapRequest): BoxQuestion {
  const { latitude, longitude, timestamp } = bounding_boxes[0]!;
  const [from, to = from] = [timestamp].flat().map(parseInstant);
  return {
    box: { south: latitude[0]!, north: latitude[1]!, west: longitude[0]!, east: longitude[1]! },
    variables: [name],
    outputs: boxOutputs([name]).filter(({ row }) => "map2d" in row && row.map2d !== undefined),
    from: from!,
    to: to!,
    isRange: typeof timestamp !== "string",
    models,
  };
}

/** The outputs of variables, by their names in 2D answers, and those of points where they have none. */
export function boxOutputs(variables: readonly VariableName[]): BoxOutput[] {
  return variables.flatMap((name) =>
    variable(name).outputs.map((row: Output) => {
      const { map2d, point, unit, title, decimals } = row;
      return { variable: name, name: map2d ?? point, unit, title, decimals, row };
    }),
  );
}

/** Returns the outputs of variables with the components of vectors in place of speed and direction. */
export function componentOutputs(variables: readonly VariableName[], windHeight: number): BoxOutput[] {
  return variables.flatMap((name) => {
    const vector = variable(name).outputs.find(({ is }) => is === "speed");
    if (!vector) return boxOutputs([name]);
    return vector.of.map((field: FieldName): BoxOutput => {
      const output = componentName(field, windHeight);
      const { unit, title, decimals } = componentOf(output)!;
      const row = { is: "value", of: [field], decimals } as const;
      return { variable: name, name: output, unit, title, decimals, row };
    });
  });
}

/**
 * Plans a box: one grid, the finest among the runs that answer for any of the variables that change with time, and one set
 * of instants, for all models of the request. Another run is brought to that grid, and to those instants, by the sampler of the points, so that a node's
 * number is always that of `POST /MetOcean`. Throws `MapTooLargeError`.
 *
 * @param now Weather clock, Unix seconds.
 */
export function planBox(
  manifest: Manifest,
  question: BoxQuestion,
  now: number,
  limit: MapSizeLimit,
): BoxPlan {
  const { box, from, to, isRange = true, stepHours, stride = 1, windHeight = 10, layers = 1 } = question;
  const variables = [...new Set(question.variables)];
  const outputs = question.outputs ?? boxOutputs(variables);
  const models = question.models && [...new Set(question.models)];
  const manifests = (models ?? [BEST]).map((model) => manifestOfModel(manifest, model));
  const archives = manifests.flatMap((of) => variables.map((name): Archive => ({ manifest: of, name, now })));
  const moving = archives.filter(({ name }) => !variable(name).static);
  const times = timesOf(moving, box, from, to, stepHours);
  const grid = gridFor(moving.length > 0 ? moving : archives, box, times);
  const native = windowOf(grid, box);
  const every = (values: Float64Array) => values.filter((_, at) => at % stride === 0);
  const [latitude, longitude] = [every(native.latitude), every(native.longitude)];
  const narrowed = narrowedTo(native, box);
  const values =
    manifests.length * times.length * latitude.length * longitude.length * outputs.length * layers;
  const answers = manifests.map(
    (of, at): BoxAnswer => ({
      model: models?.[at],
      manifest: of,
      runFor(name, time) {
        const answering = answeringRun({ manifest: of, name, now }, narrowed, time);
        return answering?.everywhere && sameGrid(answering.run.grid, grid) ? answering.run : undefined;
      },
    }),
  ) as [BoxAnswer, ...BoxAnswer[]];
  const nodes = { grid, native, stride, latitude, longitude };
  const plan = { variables, outputs, windHeight, ...nodes, times, isRange, values, layers, answers };
  if (values > limit.max) throw new MapTooLargeError(plan, limit);
  return plan;
}

/**
 * Returns the instants of a range; its distinct ends if none lies inside it; one instant if nothing changes with time.
 */
function timesOf(
  archives: readonly Archive[],
  box: Box,
  from: number,
  to: number,
  stepHours: number | undefined,
): number[] {
  if (archives.length === 0) return [from];
  const inside =
    stepHours === undefined
      ? new Set(archives.flatMap((archive) => nativeSteps(archive, box, from, to)))
      : multiplesIn(from, to, stepHours * HOUR_S);
  return [...(inside.size > 0 ? inside : new Set([from, to]))].sort((a, b) => a - b);
}

function multiplesIn(from: number, to: number, step: number): Set<number> {
  const times = new Set<number>();
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) times.add(time);
  return times;
}

/** Grid of an answer that no published run can give. */
const wholeDegrees: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};

/** The runs that may answer for one variable. */
interface Archive {
  manifest: Manifest;
  name: VariableName;
  /** Weather clock, Unix seconds. */
  now: number;
}

/** The box; along an axis on which it contains no node, the nearest node instead. */
function narrowedTo({ latitude, longitude }: GridWindow, box: Box): Box {
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
 * Native steps inside a closed range, of the runs that answer at them, ascending. A variable that does not change with
 * time has none.
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
 * Returns the finest grid of the runs that answer for any of the variables; otherwise that of a run that could answer;
 * otherwise whole degrees.
 *
 * @param times Unix seconds.
 */
function gridFor(archives: readonly Archive[], box: Box, times: readonly number[]): Grid {
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
/** An edge of a box counts as inside an outline if the ends of this many equal parts are. */
const EDGE_PARTS = 16;
const cell = emptyCell();

/** Whether a grid answers at every place of a box. */
function covers(grid: Grid, { south, north, west, east }: Box): boolean {
  if (!locate(grid, south, west, cell) || !locate(grid, north, west, cell)) return false;
  if (
    !wraps(grid.longitude) &&
    eastwards(west - grid.longitude.start) + width(west, east) > reach(grid) + EDGE
  )
    return false;
  if (!grid.outline) return true;
  for (let part = 0; part <= EDGE_PARTS; part++) {
    const longitude = west + (part / EDGE_PARTS) * width(west, east);
    const latitude = south + (part / EDGE_PARTS) * (north - south);
    for (const [row, column] of [
      [south, longitude],
      [north, longitude],
      [latitude, west],
      [latitude, east],
    ] as const)
      if (!locateInside(grid, row, column, cell)) return false;
  }
  return true;
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
