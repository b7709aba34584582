import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { ByteSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { readNodes, scanGrib2 } from "@open-metocean/grib2/scan";
import { DamagedFileError } from "#server/ingest/netcdf/file.ts";
import { fileSource } from "./file-source.ts";
import { checkGridMemory, openNetcdfRecords } from "./netcdf-file.ts";
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
  // HDF5 is loaded only when needed: it is large, and workers may be replaced often.
  if (statSync(path).isDirectory()) {
    const { openZarrFile } = await import("#server/ingest/zarr/zarr-store.ts");
    return openNetcdfRecords(path, await openZarrFile(path, maxMemory), maxMemory);
  }
  const kind = magicOf(path);
  if (kind === HDF) {
    const { openNetcdf4 } = await import("#server/ingest/netcdf/netcdf4.ts");
    return openNetcdfRecords(path, await openNetcdf4(path), maxMemory);
  }
  const source = fileSource(path);
  try {
    if (kind === CDF) {
      const { openNetcdf3 } = await import("#server/ingest/netcdf/netcdf3.ts");
      return openNetcdfRecords(path, { ...openNetcdf3(source), close: () => source.close() }, maxMemory);
    }
    return openGribFile(path, source, maxMemory);
  } catch (error) {
    source.close();
    throw error;
  }
}

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

/** Opens a GRIB2 file. Its records are all fields of all messages. */
function openGribFile(path: string, source: ByteSource & { close(): void }, maxMemory: number): DataFile {
  return {
    path,
    scan() {
      const { fields, rejected, messages } = scanGrib2(source);
      if (fields.length === 0 && rejected.length === 0) {
        const reason = "the file is neither GRIB2 nor NetCDF";
        return { records: [], rejected: [{ file: path, message: "file", reason }], messages };
      }
      return {
        records: fields.map((field) => ({
          kind: "grib2" as const,
          file: path,
          grid: field.grid,
          validTime: field.time.end,
          referenceTime: field.referenceTime,
          field,
        })),
        rejected: rejected.map(({ message, reason, parameter }) => ({
          file: path,
          message: `message ${message}`,
          reason,
          parameter,
        })),
        messages,
      };
    },
    async decode(record) {
      if (record.kind !== "grib2") throw new Error("the record is of another kind of file");
      const { columns, rows } = record.field.scan;
      checkGridMemory(columns * rows, maxMemory);
      return decodeGrib2(source, record.field);
    },
    nodes: (record) => (record.kind === "grib2" ? readNodes(source, record.field) : undefined),
    close: () => source.close(),
  };
}
