import type { ZarrArray } from "#server/ingest/zarr/zarr-store.ts";

/**
 * Keys of the chunks of an array that have some positions of its time axis, and all of the other axes.
 *
 * @param array Its dimensions are named by xarray's convention.
 * @param positions Along "time"; all where the array has no such axis.
 */
export function chunkKeys(
  { name, shape, chunks, dimensions, separator }: ZarrArray,
  positions: readonly number[],
): string[] {
  const time = dimensions.indexOf("time");
  const wanted = shape.map((length, axis) => {
    if (axis === time) return [...new Set(positions.map((position) => Math.floor(position / chunks[axis]!)))];
    return Array.from({ length: Math.ceil(length / chunks[axis]!) }, (_, chunk) => chunk);
  });
  const tuples = wanted.reduce<number[][]>(
    (before, along) => before.flatMap((tuple) => along.map((chunk) => [...tuple, chunk])),
    [[]],
  );
  return tuples.map((tuple) => `${name}/${tuple.join(separator)}`);
}
