import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { pack } from "#server/archive/field-writer.ts";
import { demoArray } from "./chunk.ts";
import type { Computed } from "./compute-chunks.ts";
import { groupOf } from "./fields/field-groups.ts";
import type { World } from "./static/world.types.ts";
import { weatherTime } from "./timing-error.ts";

/** Cells of one array: see `ChunkStore.getCells`. */
export interface CellTask {
  folder: string;
  cells: Int32Array;
  /** Set to 1 when the result is no longer needed. */
  stopped: Int32Array<SharedArrayBuffer>;
}

/**
 * Computes single cells with the functions that compute chunks, so that every node has the number that it has in its chunk.
 *
 * @returns Int16, four values a cell; undefined if it was stopped before the last cell.
 */
export function computeCells(world: World, { folder, cells, stopped }: CellTask): Computed | undefined {
  const array = demoArray(folder);
  if (!array) throw new RangeError(`The demo world has no ${folder}`);
  const { run, field } = array;
  const { latitude, longitude } = run.grid;
  const group = groupOf(field);
  const names = group.fields.filter((name) => Object.hasOwn(run.fields, name));
  const count = cells.length / 3;
  const stored = new Int16Array(names.length * count * 4);
  for (let i = 0; i < count; i++) {
    if (Atomics.load(stopped, 0) !== 0) return undefined;
    const [step, row, column] = [cells[3 * i]!, cells[3 * i + 1]!, cells[3 * i + 2]!];
    // The column after the last is the first: nodes are the same in every convention of longitudes.
    const grid = {
      latitude: { start: latitude.start + row * latitude.step, step: latitude.step, count: 2 },
      longitude: { start: longitude.start + column * longitude.step, step: longitude.step, count: 2 },
    };
    const values = group.compute(world, { grid, time: weatherTime(run, group, run.times[step]!) });
    for (const [place, name] of names.entries()) {
      const at = 4 * (place * count + i);
      pack(values[name]!, fields[name], stored.subarray(at, at + 4), {
        values: 0,
        missing: 0,
        outOfRange: 0,
      });
    }
  }
  return { fields: names satisfies FieldName[], buffer: stored.buffer };
}
