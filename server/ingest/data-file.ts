import { closeSync, openSync, readSync } from "node:fs";
import { fileSource } from "./byte-source.ts";
import { openGribFile } from "./grib-file.ts";
import { DamagedFileError } from "./netcdf/file.ts";
import { openNetcdf3 } from "./netcdf/netcdf3.ts";
import { openNetcdf4 } from "./netcdf/netcdf4.ts";
import { openNetcdfRecords } from "./netcdf-file.ts";
import type { FieldRecord, Scan } from "./record.ts";

/** An open file of any kind that is read. Runs in the decode worker. */
export interface DataFile {
  path: string;
  scan(): Scan;
  /** Throws where the record cannot be decoded. */
  decode(record: FieldRecord): Float32Array;
  close(): void;
}

const CDF = 0x434446;
const HDF = 0x894844;

/**
 * Opens a file by what it begins with. What begins as nothing known is searched for GRIB messages: theirs may come after
 * other bytes.
 *
 * @param maxMemory Bytes that decoding one grid may take.
 */
export async function openDataFile(path: string, maxMemory: number): Promise<DataFile> {
  const kind = magicOf(path);
  if (kind === HDF) return openNetcdfRecords(path, await openNetcdf4(path), maxMemory);
  const source = fileSource(path);
  try {
    if (kind !== CDF) return openGribFile(path, source, maxMemory);
    return openNetcdfRecords(path, { ...openNetcdf3(source), close: () => source.close() }, maxMemory);
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
