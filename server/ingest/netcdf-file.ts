import { CfFile, type GriddedVariable } from "#server/ingest/netcdf/cf.ts";
import type { NetcdfFile } from "#server/ingest/netcdf/file.ts";
import { checkGridMemory } from "./memory-limit.ts";
import type { DataFile, NetcdfRecord } from "./record.ts";

/** Deeper, a level is not that of the surface, metres: the uppermost of ocean models is at 0 to 5. */
const SURFACE_REACH = 10;

/** The records of a NetCDF file: every step of every level of every variable on a regular grid. */
export function openNetcdfRecords(path: string, netcdf: NetcdfFile, maxMemory: number): DataFile {
  const file = new CfFile(netcdf);
  return {
    path,
    scan() {
      const records = file.gridded.flatMap((variable) => netcdfRecords(path, variable, file.referenceTime));
      const rejected = file.rejected.map(({ variable, reason }) => ({
        file: path,
        message: variable,
        reason,
        variable,
      }));
      if (records.length === 0 && rejected.length === 0) {
        const reason = "the file has no variable on latitudes and longitudes";
        return { records, rejected: [{ file: path, message: "file", reason }], messages: 1 };
      }
      return { records, rejected, messages: 1 };
    },
    decode(record) {
      if (record.kind !== "netcdf") throw new Error("the record is of another kind of file");
      const { latitude, longitude } = record.grid;
      checkGridMemory(latitude.count * longitude.count, maxMemory);
      return file.readStep(record.variable, record.step, record.levelIndex);
    },
    nodes: (record) => (record.kind === "netcdf" ? file.nodes(record.variable) : undefined),
    close: () => file.close(),
  };
}

/** One record for each step of each level of a variable. */
export function netcdfRecords(
  path: string,
  { name, standardName, units, positive, grid, times, levels }: GriddedVariable,
  referenceTime: number | undefined,
): NetcdfRecord[] {
  const heights: (number | undefined)[] = levels ?? [undefined];
  const nearest = Math.min(SURFACE_REACH, ...heights.map((height) => Math.abs(height ?? 0)));
  return heights.flatMap((level, levelIndex) =>
    (times ?? [0]).map((validTime, step) => ({
      kind: "netcdf" as const,
      file: path,
      grid,
      validTime,
      referenceTime,
      variable: name,
      standardName,
      units,
      positive,
      timeless: times === undefined ? (true as const) : undefined,
      level,
      nearestSurface: Math.abs(level ?? 0) === nearest,
      step,
      levelIndex,
    })),
  );
}
