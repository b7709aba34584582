import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { type Grid, sameGrid } from "#lib/field/grid.ts";
import { type GridWindow, windowOf } from "#lib/field/window.ts";
import type { Box } from "#lib/geo/box.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { type Archive, answeringRun, gridFor, narrowedTo, nativeSteps } from "./grid-plan.ts";

/** A box of any variables over a range of times. */
export interface BoxQuestion {
  /** Degrees; west > east crosses the antimeridian. */
  box: Box;
  variables: readonly VariableName[];
  /** First and last instant, Unix seconds, both included. */
  from: number;
  to: number;
  /** Only instants at multiples of so many hours since midnight UTC, a divisor of 24; without it the native steps of all variables. */
  stepHours?: number;
  /** Only every so many rows and columns, from the south-west node on. Default 1. */
  stride?: number;
  /** Height of the wind, metres, 10 … 100. Default 10. */
  windHeight?: number;
}

/** A question resolved to one grid and one set of instants, for all variables. */
export interface BoxPlan {
  variables: readonly VariableName[];
  windHeight: number;
  grid: Grid;
  /** All nodes of the grid inside the box. */
  native: GridWindow;
  /** Of `native`, every so many rows and columns are nodes of the answer. */
  stride: number;
  /** Nodes of the answer: degrees north, ascending, and degrees east, −180..180, west to east. */
  latitude: Float64Array;
  longitude: Float64Array;
  /** Instants of the answer, Unix seconds, ascending. */
  times: readonly number[];
  /** steps × rows × columns × fields. */
  values: number;
  /** The run that answers a variable at every node on the plan's grid; undefined if the run has to be chosen for each node. */
  runFor(name: VariableName, time: number): Run | undefined;
}

const HOUR_S = 3600;

/**
 * Plans a box: one grid, the finest among the runs that answer for any of the variables that change with time, and one set
 * of instants. Another run is brought to that grid, and to those instants, by the sampler of the points, so that a node's
 * number is always that of `POST /MetOcean`.
 *
 * @param now Weather clock, Unix seconds.
 */
export function planBox(manifest: Manifest, question: BoxQuestion, now: number): BoxPlan {
  const { box, from, to, stepHours, stride = 1, windHeight = 10 } = question;
  const variables = [...new Set(question.variables)];
  const archives = variables.map((name): Archive => ({ manifest, name, now }));
  const moving = archives.filter(({ name }) => !variable(name).static);
  const times = timesOf(moving, box, from, to, stepHours);
  const grid = gridFor(moving.length > 0 ? moving : archives, box, times);
  const native = windowOf(grid, box);
  const every = (values: Float64Array) => values.filter((_, at) => at % stride === 0);
  const [latitude, longitude] = [every(native.latitude), every(native.longitude)];
  const narrowed = narrowedTo(native, box);
  const fields = variables.reduce((sum, name) => sum + variable(name).outputs.length, 0);
  return {
    variables,
    windHeight,
    grid,
    native,
    stride,
    latitude,
    longitude,
    times,
    values: times.length * latitude.length * longitude.length * fields,
    runFor(name, time) {
      const answering = answeringRun({ manifest, name, now }, narrowed, time);
      return answering?.everywhere && sameGrid(answering.run.grid, grid) ? answering.run : undefined;
    },
  };
}

/** The instants of a range; where none lies inside it, its distinct ends. One instant where nothing changes with time. */
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
