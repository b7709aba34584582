import { closeSync, openSync, readSync, statSync } from "node:fs";
import { DamagedFileError } from "#server/ingest/netcdf/file.ts";
import { fileSource } from "./byte-source.ts";
import type { DataFile } from "./record.ts";

const CDF = 0x434446;
const HDF = 0x894844;

/**
 * Opens a folder as a part of a Zarr v2 store, and a file by its first bytes. A file that is not NetCDF is searched for
 * GRIB messages, which other bytes may precede.
 *
 * @param maxMemory Bytes that decoding one grid may use.
 */
export async function openDataFile(path: string, maxMemory: number): Promise<DataFile> {
  // Only the reader of the format is loaded: HDF5 and JPEG 2000 are large, and workers may be replaced often.
  if (statSync(path).isDirectory()) {
    const { openZarrRecords } = await import("#server/ingest/zarr/zarr-file.ts");
    return openZarrRecords(path, maxMemory);
  }
  const kind = magicOf(path);
  if (kind === HDF) {
    const { openNetcdf4 } = await import("#server/ingest/netcdf/netcdf4.ts");
    const { openNetcdfRecords } = await import("./netcdf-file.ts");
    return openNetcdfRecords(path, await openNetcdf4(path), maxMemory);
  }
  const source = fileSource(path);
  try {
    if (kind === CDF) {
      const { openNetcdf3 } = await import("#server/ingest/netcdf/netcdf3.ts");
      const { openNetcdfRecords } = await import("./netcdf-file.ts");
      return openNetcdfRecords(path, { ...openNetcdf3(source), close: () => source.close() }, maxMemory);
    }
    const { openGribFile } = await import("./grib-file.ts");
    return openGribFile(path, source, maxMemory);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The first three bytes, as one number. */
function magicOf(path: string): number {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(3);
    if (readSync(file, bytes) < bytes.length) throw new DamagedFileError("the file is empty or nearly so");
    return bytes.readUIntBE(0, 3);
  } finally {
    closeSync(file);
  }
}
