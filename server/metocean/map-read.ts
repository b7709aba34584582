import type { FieldName } from "#lib/catalog/fields.ts";
import type { MapField } from "#lib/field/map-field.ts";
import { gridPieces } from "#lib/field/serialise.ts";
import { groupByRun } from "#server/archive/choose-run.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { readFields, readsOf } from "./field-reads.ts";
import type { FrameSource } from "./frames.ts";
import { isReadAsPoints, MAX_POINTS_PER_READ, pointsOf, readTogether, stepsAround } from "./grid-read.ts";
import { type GridStep, quantise, quantiseGrid } from "./grid-step.ts";
import type { MapPlan, MapPlanStep } from "./map-plan.ts";
import type { MapProvenance } from "./meta.ts";
import { inputsOf } from "./output-values.ts";
import type { CachedStep, StepCache } from "./step-cache.ts";

/** The part of the archive that a 2D answer needs. */
export type MapSource = PointSource &
  Pick<FrameSource, "mapStep"> & {
    /** Cache of whole steps, rounded for the wire. */
    stepCache?: StepCache;
  };

/** Nodes computed before yielding to other requests. */
const NODES_PER_TURN = 128 * 1024;
/** Nodes; a smaller step is read again as fast as it is found in the cache. */
const MIN_CACHED_NODES = 256 * 1024;

/** Everything that reading a plan needs. */
interface MapRead {
  source: MapSource;
  manifest: Manifest;
  plan: MapPlan;
  now: number;
  provenance: MapProvenance;
  signal: AbortSignal;
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
      entries: unset,
      texts: [],
    })),
  };
  // Allocated on first use: a cached step that is the whole answer needs no memory of its own.
  const entriesAt = (index: number) =>
    field.outputs.map((output) => {
      if (output.entries === unset) output.entries = new Uint16Array(steps.length * nodes);
      return output.entries.subarray(index * nodes, (index + 1) * nodes);
    });
  const asPoints = isReadAsPoints(window);
  const runAt = ({ run }: MapPlanStep) => (asPoints ? undefined : run);
  for (const together of readTogether(steps, nodes, runAt)) {
    signal.throwIfAborted();
    const step = together[0]!;
    const index = steps.indexOf(step);
    const run = runAt(step);
    if (!run) {
      await readAsPoints(
        read,
        together,
        together.map((_, place) => entriesAt(index + place)),
      );
      continue;
    }
    read.provenance.add(run, step.time, nodes);
    const key = keyOf(plan, step, run);
    const cached = read.source.stepCache?.get(key);
    if (cached && steps.length === 1)
      for (const [i, output] of field.outputs.entries()) output.entries = cached.entries[i]!;
    else if (cached) for (const [i, entries] of entriesAt(index).entries()) entries.set(cached.entries[i]!);
    const texts = cached?.texts ?? (await readOnGrid(read, step, run, entriesAt(index), key));
    for (const [i, output] of field.outputs.entries()) output.texts![index] = texts?.[i];
  }
  return field;
}

/** Runs are immutable, so the key never becomes stale. Columns are identified by their ends and their count. */
function keyOf({ window, variable }: MapPlan, { time }: MapPlanStep, run: Run): string {
  const { firstRow, rows, columns } = window;
  return [run.id, variable, time, firstRow, rows, columns[0], columns.at(-1), columns.length].join();
}

const unset = new Uint16Array(0);

/**
 * Reads one step of a run whose grid is that of the answer: interpolated only in time.
 *
 * @returns The JSON of each output, if it was cached.
 */
async function readOnGrid(
  { source, plan, signal }: MapRead,
  { time }: MapPlanStep,
  run: Run,
  entries: readonly Uint16Array[],
  key: string,
): Promise<CachedStep["texts"] | undefined> {
  const { window } = plan;
  const stored = new Map<FieldName, GridStep>();
  const read = async (name: FieldName) =>
    stored.set(name, await stepsAround(source, run, name, time, window, signal));
  // Fields that are stored together are read together; the demo world has the second when the first is computed.
  if (run.storedFrames) await Promise.all(inputsOf(plan.outputs).map(read));
  else for (const name of inputsOf(plan.outputs)) await read(name);
  const nodes = entries[0]!.length;
  for (let from = 0; from < nodes; from += NODES_PER_TURN) {
    const to = Math.min(from + NODES_PER_TURN, nodes);
    for (const [i, output] of plan.outputs.entries()) quantiseGrid(output, stored, from, to, entries[i]!);
    await nextTurn();
    signal.throwIfAborted();
  }
  if (!source.stepCache || nodes < MIN_CACHED_NODES) return undefined;
  const texts = plan.outputs.map(({ decimals }, i) => ({
    pieces: [...gridPieces(entries[i]!, window.columns.length, decimals)],
  }));
  // Part of a range is copied, so that the cache does not retain the whole range.
  const own = entries.map((part) => (part.byteLength === part.buffer.byteLength ? part : part.slice()));
  source.stepCache.set(key, { entries: own, texts });
  return texts;
}

/**
 * Reads steps as points: each node is answered by its own run, through the sampler of point requests.
 *
 * @param steps More than one where all their nodes are at most `MAX_POINTS_PER_READ`.
 * @param entries Of each step and output.
 */
async function readAsPoints(
  { source, manifest, plan, now, provenance, signal }: MapRead,
  steps: readonly MapPlanStep[],
  entries: readonly (readonly Uint16Array[])[],
): Promise<void> {
  const nodes = entries[0]![0]!.length;
  const times = steps.map(({ time }) => time);
  const names = inputsOf(plan.outputs);
  for (let from = 0; from < nodes; from += MAX_POINTS_PER_READ) {
    const count = Math.min(MAX_POINTS_PER_READ, nodes - from);
    const points = pointsOf(plan.window, times, from, count);
    const columns = new Map(names.map((name) => [name, new Float64Array(points.count).fill(Number.NaN)]));
    const reads = readsOf(source);
    const { groups, unanswered } = groupByRun(manifest, plan.variable, points, now);
    for (const { reason, indices } of unanswered) provenance.addUnanswered(reason, indices.length);
    for (const group of groups) {
      const { run, indices } = group;
      const ofStep = new Int32Array(times.length);
      for (const index of indices) ofStep[Math.floor(index / count)]!++;
      for (const [step, found] of ofStep.entries()) if (found > 0) provenance.add(run, times[step]!, found);
      await readFields(source, reads, group, points, columns, signal);
    }
    await reads.end();
    for (const [step, ofStep] of entries.entries()) {
      const part = [step * count, (step + 1) * count] as const;
      const own = new Map([...columns].map(([name, column]) => [name, column.subarray(...part)]));
      for (const [i, output] of plan.outputs.entries())
        quantise(output, own, ofStep[i]!.subarray(from, from + count));
    }
    await nextTurn();
    signal.throwIfAborted();
  }
}
