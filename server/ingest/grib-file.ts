import { decodeGrib2 } from "#server/ingest/grib2/decode.ts";
import { readNodes, scanGrib2 } from "#server/ingest/grib2/scan.ts";
import type { ByteSource } from "./byte-source.ts";
import { checkGridMemory } from "./memory-limit.ts";
import type { DataFile } from "./record.ts";

/** The records of a GRIB2 file: every field of every message. */
export function openGribFile(
  path: string,
  source: ByteSource & { close(): void },
  maxMemory: number,
): DataFile {
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
    decode(record) {
      if (record.kind !== "grib2") throw new Error("the record is of another kind of file");
      const { columns, rows } = record.field.scan;
      checkGridMemory(columns * rows, maxMemory);
      return decodeGrib2(source, record.field);
    },
    nodes: (record) => (record.kind === "grib2" ? readNodes(source, record.field) : undefined),
    close: () => source.close(),
  };
}
