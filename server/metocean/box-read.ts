import { LRUCache } from "lru-cache";
import { type FieldName, fields, rowOf } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { inputsOf, type VariableName, variable } from "#lib/catalog/variables.ts";
import { windField } from "#lib/catalog/wind.ts";
import type { MapMeta } from "#lib/contract/map2d.ts";
import { bracket } from "#lib/field/interpolate.ts";
import { type MapField, type MapOutput, NULL_ENTRY, type WrittenGrid } from "#lib/field/map-field.ts";
import { gridPieces } from "#lib/field/serialise.ts";
import { planWindOf } from "#lib/field/wind-profile.ts";
import type { GridWindow } from "#lib/field/window.ts";
import { formatInstant } from "#lib/time.ts";
import { groupByRun } from "#server/archive/choose-run.ts";
import {
  type Columns,
  heightsOf,
  type RunWind,
  readVariables,
  toHeight,
} from "#server/archive/read-variables.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { type DeflatedPart, deflatedPart } from "#server/platform/gzip-parts.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { BoxAnswer, BoxPlan, BoxRow } from "./box-plan.ts";
import type { FrameSource } from "./frames.ts";
import { type GridStep, quantise, quantiseGrid, unpack } from "./grid-step.ts";
import { joinMapMeta, MapProvenance } from "./meta.ts";

/** The part of the archive that grid answers need. */
export type MapSource = PointSource &
  Pick<FrameSource, "mapStep"> & {
    /** Cache of whole steps, rounded for the wire. */
    stepCache?: StepCache;
  };

/** Nodes of a plan that are part of the answer, by position. */
export type NodeMask = (node: number) => boolean;

/** Everything that reading a plan needs. */
interface BoxRead {
  source: MapSource;
  plan: BoxPlan;
  /** Weather clock, Unix seconds. */
  now: number;
  signal: AbortSignal;
  /** Nodes outside the mask are null. */
  mask?: NodeMask | undefined;
  /** Cache of steps that are sent as JSON. */
  cache?: StepCache | undefined;
}

/** Steps of a plan, rounded for the wire. */
interface BoxSteps {
  field: MapField;
  /** Describes these steps. */
  meta(): MapMeta;
  runs(): MapMeta["provenance"];
}

/** Nodes computed before yielding to other requests. */
const NODES_PER_TURN = 128 * 1024;
/** Minimum size of a cached step, nodes: a smaller one is read again as fast as it is found in the cache. */
const MIN_CACHED_NODES = 256 * 1024;

const unset = new Uint16Array(0);

interface Written {
  row: BoxRow;
  output: MapOutput;
}

/**
 * Reads a plan and rounds its numbers. Throws `ObjectMissingError` if a run of the manifest was replaced and is gone.
 */
export async function readBox(read: BoxRead): Promise<BoxSteps> {
  const [first, ...others] = read.plan.answers;
  const parts: [BoxSteps, ...BoxSteps[]] = [await readAnswer({ ...read, answer: first })];
  for (const answer of others) parts.push(await readAnswer({ ...read, answer }));
  return others.length === 0 ? parts[0] : joined(parts);
}

/** The answers of several models as one. */
function joined(parts: readonly [BoxSteps, ...BoxSteps[]]): BoxSteps {
  const { field } = parts[0];
  const nodes = field.latitude.length * field.longitude.length;
  const length = field.times.length * nodes;
  return {
    field: {
      ...field,
      models: parts.flatMap((part) => part.field.models ?? []),
      outputs: field.outputs.map((output, at) => {
        const entries = new Uint16Array(parts.length * length);
        const texts: MapOutput["texts"] = [];
        for (const [index, part] of parts.entries()) {
          const own = part.field.outputs[at]!;
          entries.set(own.entries, index * length);
          for (let step = 0; step < field.times.length; step++) texts.push(own.texts?.[step]);
        }
        return { ...output, entries, texts };
      }),
    },
    meta: () => parts.map((part) => part.meta()).reduce(joinMapMeta),
    runs: () => parts.flatMap((part) => part.runs()),
  };
}

/** A read of one answer of a plan. */
interface AnswerRead extends BoxRead {
  answer: BoxAnswer;
}

/**
 * Reads steps of one answer of a plan and rounds their numbers. Throws `ObjectMissingError` as `readBox` does.
 *
 * @param from First step. @param to The step after the last.
 */
export async function readAnswer(read: AnswerRead, from = 0, to = read.plan.times.length): Promise<BoxSteps> {
  const { plan, answer, now } = read;
  const { model } = answer;
  const { latitude, longitude, isRange } = plan;
  const times = plan.times.slice(from, to);
  const all = plan.outputs.map(({ row, variable, ...output }) => ({
    row,
    variable,
    output: { ...output, entries: unset, texts: [] } as MapOutput,
  }));
  const provenances: MapProvenance[] = [];
  const metas: (() => MapMeta)[] = [];
  for (const name of plan.variables) {
    const own = all.filter(({ variable }) => variable === name);
    const outputs = own.map(({ row }) => row);
    const { windHeight } = plan;
    const provenance = new MapProvenance({ variable: name, outputs, windHeight, answer: model, now });
    await readSteps(read, name, times, own, provenance);
    provenances.push(provenance);
    metas.push(() => provenance.meta({ outputs: own.map(({ output }) => output) }));
  }
  return {
    field: {
      latitude,
      longitude,
      times: times.map(formatInstant),
      isRange,
      ...(model !== undefined && { models: [model] }),
      outputs: all.map(({ output }) => output),
    },
    meta: () => metas.map((meta) => meta()).reduce(joinMapMeta),
    runs: () => provenances.flatMap((provenance) => provenance.runs()),
  };
}

/** Reads one variable at each of some instants. */
async function readSteps(
  read: AnswerRead,
  name: VariableName,
  times: readonly number[],
  written: readonly Written[],
  provenance: MapProvenance,
): Promise<void> {
  const { plan, answer, signal, cache, mask } = read;
  const nodes = plan.latitude.length * plan.longitude.length;
  // The memory is allocated on first use: a cached step that is the whole answer needs none of its own.
  const entriesAt = (step: number) =>
    written.map(({ output }) => {
      if (output.entries === unset) output.entries = new Uint16Array(times.length * nodes);
      return output.entries.subarray(step * nodes, (step + 1) * nodes);
    });
  const rows = written.map(({ row }) => row);
  const asPoints = isReadAsPoints(plan);
  const runAt = (time: number) => (asPoints ? undefined : answer.runFor(name, time));
  let step = 0;
  for (const together of readTogether(times, nodes, runAt)) {
    signal.throwIfAborted();
    const [time] = together as [number, ...number[]];
    const run = runAt(time);
    if (!run) {
      const entries = together.map((_, at) => entriesAt(step + at));
      await readAsPoints(read, name, together, rows, entries, provenance);
    } else {
      provenance.add(run, time, nodes);
      const key = keyOf(plan, name, time, run);
      const cached = cache?.get(key);
      if (cached && times.length === 1)
        for (const [i, { output }] of written.entries()) output.entries = cached.entries[i]!;
      else if (cached) for (const [i, entries] of entriesAt(step).entries()) entries.set(cached.entries[i]!);
      else await readOnGrid(read, name, time, run, rows, entriesAt(step));
      const texts = cached?.texts ?? cacheStep(read, key, rows, cached ? [] : entriesAt(step));
      for (const [i, { output }] of written.entries()) output.texts![step] = texts?.[i];
    }
    if (mask)
      for (const out of together.flatMap((_, at) => entriesAt(step + at)))
        for (let node = 0; node < nodes; node++) if (!mask(node)) out[node] = NULL_ENTRY;
    step += together.length;
  }
}

/** Runs are immutable, so the key never becomes stale. Columns are identified by their ends and their count. */
function keyOf({ native, stride, windHeight }: BoxPlan, name: VariableName, time: number, run: Run): string {
  const { firstRow, rows, columns } = native;
  const window = [firstRow, rows, columns[0], columns.at(-1), columns.length, stride];
  return [run.id, name, windHeight, time, ...window].join();
}

/** Caches a large step and its JSON. */
function cacheStep(
  { cache, plan }: BoxRead,
  key: string,
  rows: readonly BoxRow[],
  entries: readonly Uint16Array[],
): CachedStep["texts"] | undefined {
  if (!cache || entries[0]!.length < MIN_CACHED_NODES) return undefined;
  const texts = rows.map(({ decimals }, i) => ({
    pieces: [...gridPieces(entries[i]!, plan.longitude.length, decimals)],
  }));
  // Part of a range is copied, so that the cache does not retain the whole range.
  const own = entries.map((part) => (part.byteLength === part.buffer.byteLength ? part : part.slice()));
  cache.set(key, { entries: own, texts });
  return texts;
}

/** Reads one step of a run whose grid is that of the answer, with interpolation only in time. */
async function readOnGrid(
  read: BoxRead,
  name: VariableName,
  time: number,
  run: Run,
  rows: readonly BoxRow[],
  entries: readonly Uint16Array[],
): Promise<void> {
  const { plan, signal } = read;
  const wind = variable(name).atHeights && planWindOf(run.fields, plan.windHeight);
  if (wind && !(wind.method === "level" && wind.height === 10)) {
    const columns = await windOnGrid(read, wind, time, run);
    for (const [i, row] of rows.entries()) quantise(row, columns, entries[i]!);
    return;
  }
  const stored = new Map<FieldName, GridStep>();
  const add = async (field: FieldName) => stored.set(field, await stepsAround(read, run, field, time));
  // Fields that are stored together are read together; the demo world has the second when the first is computed.
  if (run.storedFrames) await Promise.all(inputsOf(rows).map(add));
  else for (const field of inputsOf(rows)) await add(field);
  const nodes = entries[0]!.length;
  for (let from = 0; from < nodes; from += NODES_PER_TURN) {
    const to = Math.min(from + NODES_PER_TURN, nodes);
    for (const [i, row] of rows.entries()) quantiseGrid(row, stored, from, to, entries[i]!);
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** Reads the wind at a height, m s-1, under the field names of 10 m. */
async function windOnGrid(read: BoxRead, wind: RunWind, time: number, run: Run): Promise<Columns> {
  const columns = new Map<FieldName, Float64Array>();
  for (const toward of ["eastward", "northward"] as const) {
    const levels: Float64Array[] = [];
    for (const height of heightsOf(wind)) {
      const field = windField(toward, height);
      const step = await stepsAround(read, run, field, time);
      await nextTurn();
      read.signal.throwIfAborted();
      const column = new Float64Array(step.before.length);
      unpack(fields[field], step, 0, column);
      levels.push(column);
    }
    toHeight(wind, levels[0]!, levels[1], undefined);
    columns.set(windField(toward, 10), levels[0]!);
  }
  return columns;
}

/**
 * Reads steps as points: each node is answered by its own run, through the sampler of point requests.
 *
 * @param times Instants, Unix seconds: more than one if all their nodes together are at most `MAX_POINTS_PER_READ`.
 * @param entries Values of each step and output, written.
 */
async function readAsPoints(
  { source, answer, plan, now, signal }: AnswerRead,
  name: VariableName,
  times: readonly number[],
  rows: readonly BoxRow[],
  entries: readonly (readonly Uint16Array[])[],
  provenance: MapProvenance,
): Promise<void> {
  const nodes = plan.latitude.length * plan.longitude.length;
  const names = inputsOf(rows);
  for (let from = 0; from < nodes; from += MAX_POINTS_PER_READ) {
    const count = Math.min(MAX_POINTS_PER_READ, nodes - from);
    const points = pointsOf(plan, times, from, count);
    const columns = new Map(
      names.map((field) => [field, new Float64Array(points.count).fill(Number.NaN)] as const),
    );
    const { groups, unanswered } = groupByRun(answer.manifest, name, points, now);
    for (const { reason, indices } of unanswered) provenance.addUnanswered(reason, indices.length);
    for (const { run, indices } of groups) {
      const ofStep = new Int32Array(times.length);
      for (const index of indices) ofStep[Math.floor(index / count)]!++;
      for (const [step, found] of ofStep.entries()) if (found > 0) provenance.add(run, times[step]!, found);
    }
    await readVariables(source, [{ name, groups, columns }], points, plan.windHeight, signal);
    for (const [step, ofStep] of entries.entries()) {
      const part = [step * count, (step + 1) * count] as const;
      const own = new Map([...columns].map(([field, column]) => [field, column.subarray(...part)]));
      for (const [i, row] of rows.entries()) quantise(row, own, ofStep[i]!.subarray(from, from + count));
    }
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** The single step of a field that does not change with time. */
const always = { before: 0, after: 0, later: 0 };

/** Reads the step at an instant, or the two steps around it. */
async function stepsAround(read: BoxRead, run: Run, name: FieldName, time: number): Promise<GridStep> {
  const { latitude, longitude } = read.plan;
  const stored = run.fields[name];
  const steps = stored?.steps ?? (stored ? [...run.times.keys()] : []);
  const times = steps.map((step) => run.times[step]!);
  const found = rowOf(name).static ? always : bracket(times, time, run.holds);
  if (!found) return { before: new Int16Array(latitude.length * longitude.length).fill(FILL), later: 0 };
  const stepAt = (index: number) => readWindow(read, run, name, steps[index]!);
  const before = await stepAt(found.before);
  const after = found.before === found.after ? undefined : await stepAt(found.after);
  return { before, after, later: found.later };
}

/** Stored values at the nodes of a plan of one step, row-major; each run of adjacent columns is one read. */
async function readWindow(
  { source, plan, signal }: BoxRead,
  run: Run,
  name: FieldName,
  timeIndex: number,
): Promise<Int16Array> {
  const { firstRow, rows, columns } = plan.native;
  const width = columns.length;
  let values: Int16Array = new Int16Array(0);
  for (let from = 0, to = 1; from < width; from = to++) {
    while (to < width && columns[to] === columns[to - 1]! + 1) to++;
    const part = { row: firstRow, rows, column: columns[from]!, columns: to - from };
    const read = (await source.mapStep(run, name, timeIndex, 1, signal, part)).values;
    if (to - from === width) {
      values = read;
      break;
    }
    if (values.length === 0) values = new Int16Array(rows * width);
    for (let row = 0; row < rows; row++)
      values.set(read.subarray(row * (to - from), (row + 1) * (to - from)), row * width + from);
  }
  return plan.stride === 1 ? values : thinned(values, plan);
}

function thinned(values: Int16Array, { latitude, longitude, native, stride }: BoxPlan): Int16Array {
  const kept = new Int16Array(latitude.length * longitude.length);
  for (let row = 0, at = 0; row < latitude.length; row++)
    for (let i = 0; i < longitude.length; i++, at++)
      kept[at] = values[row * stride * native.columns.length + i * stride]!;
  return kept;
}

/** Boxes of up to this many nodes are read as points: their values at several steps lie together in the archive. */
const FEW_NODES = 4096;

/**
 * Boxes of fewer rows or columns are read as points too, because whole steps are stored in pieces of about 180 of each.
 */
const FEW_ROWS = 12;

/** Whether steps of a box are better read as points than on the grid. */
function isReadAsPoints({ latitude, longitude }: Pick<GridWindow, "latitude" | "longitude">): boolean {
  const [rows, columns] = [latitude.length, longitude.length];
  return rows * columns <= FEW_NODES || Math.min(rows, columns) < FEW_ROWS;
}

/** Maximum number of points that are read together. */
const MAX_POINTS_PER_READ = 64 * 1024;

/**
 * Groups steps in their order: a step that a run answers on its grid stands alone; steps that are read as points share
 * a group of at most `MAX_POINTS_PER_READ` nodes.
 */
function* readTogether<Step>(
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
function pointsOf(
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

/** A whole step, ready to be written: one entry per output, in the order of the variable's table. */
interface CachedStep {
  /** Read-only. */
  entries: readonly Uint16Array[];
  /** Their JSON. */
  texts: readonly WrittenGrid[];
}

/** Whole steps, least recently used evicted first. */
export type StepCache = ReturnType<typeof stepCache>;

/**
 * A cached step and its size. Entries are replaced, never changed, because the cache only reads the size of a new
 * value.
 */
interface Entry {
  step: CachedStep;
  bytes: number;
}

/** @param budget Bytes for everything together. */
export function stepCache(budget: number) {
  const keys = new WeakMap<WrittenGrid, string>();
  const compressed = new WeakMap<WrittenGrid, Promise<DeflatedPart>>();
  const cached = new LRUCache<string, Entry>({
    maxSize: budget,
    sizeCalculation: ({ bytes }) => bytes,
    // A response under way may still use the text, but its compressed form is no longer counted.
    dispose: ({ step }) => {
      for (const text of step.texts) compressed.delete(text);
    },
  });

  /** Counts a compressed text with its step, or drops it if it exceeds the budget. */
  function count(text: WrittenGrid, pending: Promise<DeflatedPart>, part?: DeflatedPart): void {
    const key = keys.get(text) ?? "";
    const entry = cached.peek(key);
    const bytes = (entry?.bytes ?? 0) + sizeOf(part?.blocks ?? []);
    if (part && entry?.step.texts.includes(text) && bytes <= budget)
      cached.set(key, { step: entry.step, bytes }, { noDisposeOnSet: true });
    else if (compressed.get(text) === pending) compressed.delete(text);
  }

  return {
    get: (key: string): CachedStep | undefined => cached.get(key)?.step,
    set(key: string, step: CachedStep): void {
      cached.set(key, {
        step,
        bytes: sizeOf([...step.entries, ...step.texts.flatMap(({ pieces }) => pieces)]),
      });
      for (const text of step.texts) keys.set(text, key);
    },
    /** One of the texts as part of a gzip stream: compressed on first use, cached as long as its step. */
    deflated(text: WrittenGrid): Promise<DeflatedPart> {
      const known = compressed.get(text);
      if (known) return known;
      const pending = deflatedPart(text.pieces);
      compressed.set(text, pending);
      pending.then(
        (part) => count(text, pending, part),
        () => count(text, pending),
      );
      return pending;
    },
    /** Memory of all entries: numbers, texts, and their compressed form. */
    get bytes(): number {
      return cached.calculatedSize;
    },
  };
}

/** Memory behind arrays, including the rest of the buffer that a view is part of. */
function sizeOf(arrays: readonly ArrayBufferView[]): number {
  return arrays.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
