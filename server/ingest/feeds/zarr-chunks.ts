import { DamagedFileError } from "#server/ingest/netcdf/file.ts";
import type { ZarrArray } from "#server/ingest/zarr/zarr-store.ts";

/** More than a day of any ocean model has; bounds what damaged metadata can ask for. */
const MAX_CHUNKS = 100_000;

/**
 * Keys of the chunks of an array that have some positions of its time axis, and all of the other axes.
 *
 * @param array Its dimensions are named by xarray's convention.
 * @param positions Along "time"; all where the array has no such axis.
 * @throws DamagedFileError
 */
export function chunkKeys(
  { name, shape, chunks, dimensions, separator }: ZarrArray,
  positions: readonly number[],
): string[] {
  const time = dimensions.indexOf("time");
  const counts = shape.map((length, axis) =>
    axis === time ? positions.length : Math.ceil(length / chunks[axis]!),
  );
  if (counts.reduce((product, count) => product * count, 1) > MAX_CHUNKS)
    throw new DamagedFileError(`the array ${name} has too many chunks`);
  const wanted = shape.map((_, axis) => {
    if (axis === time) return [...new Set(positions.map((position) => Math.floor(position / chunks[axis]!)))];
    return Array.from({ length: counts[axis]! }, (_, chunk) => chunk);
  });
  const tuples = wanted.reduce<number[][]>(
    (before, along) => before.flatMap((tuple) => along.map((chunk) => [...tuple, chunk])),
    [[]],
  );
  return tuples.map((tuple) => `${name}/${tuple.join(separator)}`);
}
