import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkGridMemory } from "#server/ingest/memory-limit.ts";
import { CfFile } from "#server/ingest/netcdf/cf.ts";
import { netcdfRecords } from "#server/ingest/netcdf-file.ts";
import type { DataFile } from "#server/ingest/record.ts";
import { openZarrFile } from "./zarr-netcdf.ts";
import type { ZarrArray } from "./zarr-store.ts";

/**
 * The records of a folder with a part of a Zarr v2 store: the steps of which a chunk is there. A step with only some of
 * its chunks is listed too, and decoding it fails.
 *
 * @throws DamagedFileError
 */
export async function openZarrRecords(path: string, maxMemory: number): Promise<DataFile> {
  const zarr = await openZarrFile(path);
  const file = new CfFile(zarr);
  return {
    path,
    scan() {
      const records = file.gridded.flatMap((variable) => {
        const array = zarr.arrays.get(variable.name)!;
        const steps = fetchedSteps(path, array, array.dimensions.indexOf(variable.timeAxis ?? ""));
        return netcdfRecords(path, variable, file.referenceTime).filter(({ step }) => steps.has(step));
      });
      const rejected = file.rejected.map(({ variable, reason }) => ({
        file: path,
        message: variable,
        reason,
        variable,
      }));
      return { records, rejected, messages: 1 };
    },
    async decode(record) {
      if (record.kind !== "netcdf") throw new Error("the record is of another kind of file");
      const { latitude, longitude } = record.grid;
      checkGridMemory(latitude.count * longitude.count, maxMemory);
      const array = zarr.arrays.get(record.variable);
      const block = file.blockOf(record.variable, record.step, record.levelIndex);
      checkGridMemory(array?.chunks.reduce((product, length) => product * length, 1) ?? 0, maxMemory);
      await zarr.load(record.variable, block.start, block.count);
      return file.readStep(record.variable, record.step, record.levelIndex);
    },
    nodes: (record) => (record.kind === "netcdf" ? file.nodes(record.variable) : undefined),
    close: () => file.close(),
  };
}

/** The steps of which a chunk is on disk. @param time Position of the time axis; −1 without one. */
function fetchedSteps(
  folder: string,
  { name, chunks, shape, separator }: ZarrArray,
  time: number,
): Set<number> {
  const steps = new Set<number>();
  for (const key of chunkKeys(join(folder, name))) {
    const index = time < 0 ? 0 : Number(key.split(separator)[time]);
    const length = time < 0 ? 1 : chunks[time]!;
    const end = time < 0 ? 1 : shape[time]!;
    for (let step = index * length; step < Math.min((index + 1) * length, end); step++) steps.add(step);
  }
  return steps;
}

/** Keys of the chunks in the folder of an array; none if nothing of it was fetched. */
function chunkKeys(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((key) =>
    /^\d+([./]\d+)*$/.test(key),
  );
}
