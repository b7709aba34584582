import { FILL, type FieldName, rowOf } from "#lib/catalog/fields.ts";
import { bracket } from "#lib/field/interpolate.ts";
import type { GridWindow } from "#lib/field/window.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import type { FrameSource } from "./frames.ts";
import type { GridStep } from "./grid-step.ts";

type StepSource = Pick<FrameSource, "mapStep">;

/** What does not change with time has one step. */
const always = { before: 0, after: 0, later: 0 };

/** Reads the step at an instant, or the two steps around it. */
export async function stepsAround(
  source: StepSource,
  run: Run,
  name: FieldName,
  time: number,
  window: GridWindow,
  signal: AbortSignal,
): Promise<GridStep> {
  const stored = run.fields[name];
  const steps = stored?.steps ?? (stored ? [...run.times.keys()] : []);
  const times = steps.map((step) => run.times[step]!);
  const found = rowOf(name).static ? always : bracket(times, time, run.holds);
  if (!found) return { before: new Int16Array(window.rows * window.columns.length).fill(FILL), later: 0 };
  const read = (index: number) => readWindow(source, run, name, steps[index]!, window, signal);
  const before = await read(found.before);
  const after = found.before === found.after ? undefined : await read(found.after);
  return { before, after, later: found.later };
}

/** Stored values of a window of one step, (rows, columns) row-major; each run of adjacent columns is one read. */
async function readWindow(
  source: StepSource,
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

/** Boxes of up to this many nodes are read as points: their values at several steps lie together in the archive. */
const FEW_NODES = 4096;

/** So are boxes of fewer rows or columns: whole steps are stored in pieces of some 180 of each. */
const FEW_ROWS = 12;

/** Whether steps of a box are better read as points than on the grid. */
export function isReadAsPoints({ latitude, longitude }: Pick<GridWindow, "latitude" | "longitude">): boolean {
  const [rows, columns] = [latitude.length, longitude.length];
  return rows * columns <= FEW_NODES || Math.min(rows, columns) < FEW_ROWS;
}

/** Points that are read together. */
export const MAX_POINTS_PER_READ = 64 * 1024;

/**
 * Steps in their order: one that a run answers on its grid by itself; of those that are read as points as many as have
 * `MAX_POINTS_PER_READ` nodes.
 */
export function* readTogether<Step>(
  steps: readonly Step[],
  nodes: number,
  runAt: (step: Step) => Run | undefined,
): Generator<Step[]> {
  const most = Math.max(1, Math.floor(MAX_POINTS_PER_READ / nodes));
  let together: Step[] = [];
  for (const step of steps) {
    const isAlone = runAt(step) !== undefined;
    if (together.length > 0 && (isAlone || together.length === most)) {
      yield together;
      together = [];
    }
    if (isAlone) yield [step];
    else together.push(step);
  }
  if (together.length > 0) yield together;
}

/** Nodes `from` … `from + count`, row by row, as points at each of some instants, one after another. */
export function pointsOf(
  window: Pick<GridWindow, "latitude" | "longitude">,
  times: readonly number[],
  from: number,
  count: number,
): PointColumns {
  const width = window.longitude.length;
  const all = count * times.length;
  const latitude = new Float64Array(all);
  const longitude = new Float64Array(all);
  const time = new Float64Array(all);
  for (let i = 0; i < count; i++) {
    latitude[i] = window.latitude[Math.floor((from + i) / width)]!;
    longitude[i] = window.longitude[(from + i) % width]!;
  }
  for (const [step, instant] of times.entries()) {
    latitude.copyWithin(step * count, 0, count);
    longitude.copyWithin(step * count, 0, count);
    time.fill(instant, step * count, (step + 1) * count);
  }
  return { count: all, latitude, longitude, time };
}
