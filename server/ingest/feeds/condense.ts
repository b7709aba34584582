import { FILL, type FieldName, fields } from "#lib/catalog/fields.ts";
import { sameGrid } from "#lib/field/grid.ts";
import { readMapStep } from "#server/archive/map-step.ts";
import { type Run, stepsWith } from "#server/archive/run.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { Clock } from "#server/platform/clock.ts";

/** A run to be made of published ones. */
export interface Condensed {
  dataset: Run["dataset"];
  /** Span of its times, Unix seconds, both ends included; its first is the reference time. */
  from: number;
  to: number;
  /** Only times that are multiples of it, seconds. */
  every: number;
  wants(name: FieldName): boolean;
}

/**
 * Writes one run of the best steps of many: at each time, for each field, that of the newest cycle which has it, which is
 * the one of shortest lead. The numbers are the stored ones, unchanged.
 *
 * @param runs Of one source and dataset.
 * @returns undefined where the runs have nothing of it.
 */
export async function condense(
  archive: Pick<RunArchive, "begin" | "store">,
  runs: readonly Run[],
  { dataset, from, to, every, wants }: Condensed,
  clock: Clock,
  signal: AbortSignal,
): Promise<Run | undefined> {
  const newest = runs.toSorted((a, b) => b.referenceTime - a.referenceTime);
  const like = newest.find((run) => stepsIn(run, from, to).length > 0);
  if (!like) return undefined;
  const usable = newest.filter(({ grid }) => sameGrid(grid, like.grid));
  const chosen = new Map<FieldName, Map<number, { run: Run; step: number }>>();
  for (const run of usable) {
    for (const name of (Object.keys(run.fields) as FieldName[]).filter(wants)) {
      const steps = chosen.get(name) ?? new Map<number, { run: Run; step: number }>();
      chosen.set(name, steps);
      for (const step of stepsWith(run, [name]) ?? []) {
        const time = run.times[step]!;
        if (time < from || time > to || time % every !== 0 || steps.has(time)) continue;
        steps.set(time, { run, step });
      }
    }
  }
  const times = [...new Set([...chosen.values()].flatMap((steps) => [...steps.keys()]))].sort(
    (a, b) => a - b,
  );
  if (times.length === 0) return undefined;

  const { source, model, grid, holds } = like;
  const described = { dataset, source, model, referenceTime: from, grid, times, holds };
  const writer = await archive.begin(described, { wait: true, signal, clock });
  try {
    for (const [name, steps] of chosen) {
      if (steps.size === 0) continue;
      const indices = times.flatMap((time, index) => (steps.has(time) ? [index] : []));
      const { comment } = usable.find((run) => run.fields[name])!.fields[name]!;
      await writer.writeField(
        name,
        { steps: indices.length === times.length ? undefined : indices, comment },
        async (index) => {
          const { run, step } = steps.get(times[index]!)!;
          return unpacked(name, (await readMapStep(archive.store, run, name, step, 1, signal)).values);
        },
        signal,
      );
    }
    await writer.writeFrames(signal);
    return await writer.publish(signal);
  } finally {
    archive.store.release?.();
    await writer.abandon();
  }
}

function stepsIn({ times }: Run, from: number, to: number): number[] {
  return times.filter((time) => time >= from && time <= to);
}

function unpacked(name: FieldName, stored: Int16Array): Float32Array {
  const { scale, offset } = fields[name];
  const values = new Float32Array(stored.length);
  for (let i = 0; i < stored.length; i++)
    values[i] = stored[i] === FILL ? Number.NaN : stored[i]! * scale + offset;
  return values;
}
