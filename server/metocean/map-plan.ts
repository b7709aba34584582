import { acceptedTimes } from "#lib/catalog/datasets.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { variable } from "#lib/catalog/variables.ts";
import type { Map2dVariable, MapBox, MapRequest } from "#lib/contract/map2d.ts";
import { type Grid, sameGrid } from "#lib/field/grid.ts";
import { type GridWindow, windowOf } from "#lib/field/window.ts";
import type { Box } from "#lib/geo/box.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { answeringRun, gridFor, narrowedTo, nativeSteps } from "./grid-plan.ts";

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
  const [start, end] = ends.map(parseInstant);
  const native = isRange ? nativeSteps(archive, box, start!, end!).map(formatInstant) : [];
  const times = native.length > 0 ? native : [...new Set(ends)];
  const grid = gridFor([archive], box, times.map(parseInstant));
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

/** The box of a request. */
export function boxOf({ latitude, longitude }: MapBox): Box {
  return { south: latitude[0]!, north: latitude[1]!, west: longitude[0]!, east: longitude[1]! };
}
