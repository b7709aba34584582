import { setImmediate as nextTurn } from "node:timers/promises";
import { FILL, type FieldName } from "#lib/catalog/fields.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { bracket } from "#lib/field/interpolate.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { gridPieces } from "#lib/field/serialise.ts";
import type { GridWindow } from "#lib/field/window.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import type { FrameSource } from "./frames.ts";
import { type GridStep, quantise, quantiseGrid } from "./grid-step.ts";
import { groupByRun } from "./group.ts";
import type { MapAccount } from "./map-meta.ts";
import type { MapPlan, MapPlanStep } from "./map-plan.ts";
import type { PointSource } from "./point-source.ts";
import type { CachedStep, StepCache } from "./step-cache.ts";

/** The part of the archive that a 2D answer needs. */
export type MapSource = PointSource &
  Pick<FrameSource, "mapStep"> & {
    /** Whole steps that were rounded already. */
    keptSteps?: StepCache;
  };

/** Boxes of so few nodes are read as points are: what they need of several steps lies together in the archive. */
const FEW_NODES = 4096;

/** Nodes computed between two looks at whether others wait. */
const NODES_A_TURN = 128 * 1024;
const POINTS_AT_ONCE = 64 * 1024;
/** Smaller steps are read again as fast. */
const WORTH_KEEPING = 256 * 1024;

/** What reading a plan needs. */
interface MapRead {
  source: MapSource;
  manifest: Manifest;
  plan: MapPlan;
  now: number;
  account: MapAccount;
  signal: AbortSignal;
  /** Told how much is done, 0 to 1, after each step. */
  progress?(share: number): void;
}

/** Reads a plan, step by step, and rounds its numbers for the wire. */
export async function readField(read: MapRead): Promise<MapField> {
  const { plan, signal } = read;
  const { window, outputs, steps } = plan;
  const nodes = window.rows * window.columns.length;
  const field: MapField = {
    latitude: window.latitude,
    longitude: window.longitude,
    times: steps.map(({ timestamp }) => timestamp),
    isRange: plan.isRange,
    outputs: outputs.map(({ map2d, unit, decimals, title }) => ({
      name: map2d,
      unit,
      decimals,
      title,
      entries: noSlots,
      texts: [],
    })),
  };
  // A kept step is an answer's own where it is the whole of it: there is no room to be made.
  const slotsAt = (index: number) =>
    field.outputs.map((output) => {
      if (output.entries === noSlots) output.entries = new Uint16Array(steps.length * nodes);
      return output.entries.subarray(index * nodes, (index + 1) * nodes);
    });
  for (const [index, step] of steps.entries()) {
    signal.throwIfAborted();
    read.progress?.(index / steps.length);
    if (!step.run || nodes <= FEW_NODES) {
      await readAsPoints(read, step, slotsAt(index));
      continue;
    }
    read.account.add(step.run, step.time, nodes);
    const key = keyOf(plan, step, step.run);
    const kept = read.source.keptSteps?.get(key);
    if (kept && steps.length === 1)
      for (const [i, output] of field.outputs.entries()) output.entries = kept.slots[i]!;
    else if (kept) for (const [i, slots] of slotsAt(index).entries()) slots.set(kept.slots[i]!);
    const texts = kept?.texts ?? (await readOnGrid(read, step, step.run, slotsAt(index), key));
    for (const [i, output] of field.outputs.entries()) output.texts![index] = texts?.[i];
  }
  read.progress?.(1);
  return field;
}

/** A run never changes: its numbers are the same for ever. Columns are told by their ends and their count. */
function keyOf({ window, variable }: MapPlan, { time }: MapPlanStep, run: Run): string {
  const { firstRow, rows, columns } = window;
  return [run.id, variable, time, firstRow, rows, columns[0], columns.at(-1), columns.length].join();
}

const noSlots = new Uint16Array(0);

const fieldsOf = (outputs: readonly Output[]): FieldName[] => [
  ...new Set(outputs.flatMap((output): readonly FieldName[] => output.of)),
];

/**
 * One step of a run whose nodes are those of the answer: nothing to interpolate but time.
 *
 * @returns The JSON of each output, where it is kept.
 */
async function readOnGrid(
  { source, plan, signal }: MapRead,
  { time }: MapPlanStep,
  run: Run,
  slots: readonly Uint16Array[],
  key: string,
): Promise<CachedStep["texts"] | undefined> {
  const { window } = plan;
  const stored = new Map<FieldName, GridStep>();
  for (const name of fieldsOf(plan.outputs))
    stored.set(name, await stepRound(source, run, name, time, window, signal));
  const nodes = slots[0]!.length;
  for (let from = 0; from < nodes; from += NODES_A_TURN) {
    const to = Math.min(from + NODES_A_TURN, nodes);
    for (const [i, output] of plan.outputs.entries()) quantiseGrid(output, stored, from, to, slots[i]!);
    await nextTurn();
    signal.throwIfAborted();
  }
  if (!source.keptSteps || nodes < WORTH_KEEPING) return undefined;
  const texts = plan.outputs.map(({ decimals }, i) => ({
    pieces: [...gridPieces(slots[i]!, window.columns.length, decimals)],
  }));
  // A part of a range is copied, so that it does not keep the whole of it.
  const own = slots.map((part) => (part.byteLength === part.buffer.byteLength ? part : part.slice()));
  source.keptSteps.set(key, { slots: own, texts });
  return texts;
}

/** Reads the step of an instant, or the two round it. */
async function stepRound(
  source: MapSource,
  run: Run,
  name: FieldName,
  time: number,
  window: GridWindow,
  signal: AbortSignal,
): Promise<GridStep> {
  const stored = run.fields[name];
  const steps = stored?.steps ?? (stored ? [...run.times.keys()] : []);
  const found = bracket(
    steps.map((step) => run.times[step]!),
    time,
    run.holds,
  );
  if (!found) return { before: new Int16Array(window.rows * window.columns.length).fill(FILL), later: 0 };
  const read = (index: number) => readWindow(source, run, name, steps[index]!, window, signal);
  const before = await read(found.before);
  const after = found.before === found.after ? undefined : await read(found.after);
  return { before, after, later: found.later };
}

/** Stored numbers of a window of one step, (rows, columns) row-major: columns that are no neighbours are read apart. */
async function readWindow(
  source: MapSource,
  run: Run,
  name: FieldName,
  timeIndex: number,
  { firstRow, rows, columns }: GridWindow,
  signal: AbortSignal,
): Promise<Int16Array> {
  const width = columns.length;
  let values: Int16Array | undefined;
  for (let from = 0, to = 1; from < width; from = to++) {
    while (to < width && columns[to] === columns[to - 1]! + 1) to++;
    const part = { row: firstRow, rows, column: columns[from]!, columns: to - from };
    const read = (await source.mapStep(run, name, timeIndex, 1, signal, part)).values;
    if (to - from === width) return read;
    values ??= new Int16Array(rows * width);
    for (let row = 0; row < rows; row++)
      values.set(read.subarray(row * (to - from), (row + 1) * (to - from)), row * width + from);
  }
  return values ?? new Int16Array(0);
}

/** One step as so many points: each node is answered by its own run, through the sampler of the points. */
async function readAsPoints(
  { source, manifest, plan, now, account, signal }: MapRead,
  { time }: MapPlanStep,
  slots: readonly Uint16Array[],
): Promise<void> {
  const nodes = slots[0]!.length;
  const names = fieldsOf(plan.outputs);
  for (let from = 0; from < nodes; from += POINTS_AT_ONCE) {
    const points = pointsOf(plan, time, from, Math.min(POINTS_AT_ONCE, nodes - from));
    const columns = new Map(names.map((name) => [name, new Float64Array(points.count).fill(Number.NaN)]));
    const { groups, unanswered } = groupByRun(manifest, plan.variable, points, now);
    for (const { reason, indices } of unanswered) account.addUnanswered(reason, indices.length);
    for (const { run, indices } of groups) {
      account.add(run, time, indices.length);
      for (const [name, column] of columns) {
        if (!run.fields[name]) continue;
        const pending = source.valuesAt(run, name, points, indices, column, signal);
        if (pending) await pending;
      }
    }
    for (const [i, output] of plan.outputs.entries())
      quantise(output, columns, slots[i]!.subarray(from, from + points.count));
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** Nodes `from` … `from + count`, row by row, as points at an instant. */
function pointsOf({ window }: MapPlan, time: number, from: number, count: number): PointColumns {
  const width = window.columns.length;
  const latitude = new Float64Array(count);
  const longitude = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    latitude[i] = window.latitude[Math.floor((from + i) / width)]!;
    longitude[i] = window.longitude[(from + i) % width]!;
  }
  return { count, latitude, longitude, time: new Float64Array(count).fill(time) };
}
