import type { FieldName } from "#lib/catalog/fields.ts";
import type { Group } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";

/** Reading this many cached points takes about a millisecond. */
export const MANY_POINTS = 256;

/** Reads of fields: one after the other, or all at the same time where each waits for something else than this thread. */
export function readsOf({ waitsFor }: Pick<PointSource, "waitsFor">) {
  const running: Promise<void>[] = [];
  return {
    /** @returns What has to be waited for before the next one. */
    add(read: Promise<void>, run: Run): Promise<void> | undefined {
      if (!waitsFor?.(run)) return read;
      running.push(read);
      // Another may fail first.
      read.catch(() => {});
      return undefined;
    },
    end: () => (running.length === 0 ? undefined : Promise.all(running)),
  };
}

type Reads = ReturnType<typeof readsOf>;

/** Reads the fields that a run has into their columns, at the points of a group. `Reads.end` tells when all are there. */
export async function readFields(
  source: PointSource,
  reads: Reads,
  { run, indices }: Group,
  points: PointColumns,
  columns: ReadonlyMap<FieldName, Float64Array>,
  signal: AbortSignal,
): Promise<void> {
  for (const [field, column] of columns) {
    if (!run.fields[field]) continue;
    // Cached chunks are read without a pause: other requests are answered between the fields of many points.
    if (points.count > MANY_POINTS) await nextTurn();
    const pending = source.valuesAt(run, field, points, indices, column, signal);
    const added = pending && reads.add(pending, run);
    if (added) await added;
  }
}
