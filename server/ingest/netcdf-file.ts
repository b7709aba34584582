import { CfFile, type GriddedVariable } from "#server/ingest/netcdf/cf.ts";
import type { NetcdfFile } from "#server/ingest/netcdf/file.ts";
import type { DataFile, NetcdfRecord } from "./record.ts";

/** A deeper level does not count as the surface, metres. The uppermost level of ocean models is at 0 to 5. */
const SURFACE_REACH = 10;

/**
 * Opens the records of a NetCDF file, or of a store in its form: every step of every level of every variable on a grid.
 */
export function openNetcdfRecords(path: string, netcdf: NetcdfFile, maxMemory: number): DataFile {
  const file = new CfFile(netcdf);
  return {
    path,
    scan() {
      const records = file.gridded.flatMap((variable) => {
        const all = netcdfRecords(path, variable, file.referenceTime);
        const steps = netcdf.steps?.(variable.name, variable.timeAxis);
        return steps ? all.filter(({ step }) => steps.has(step)) : all;
      });
      const rejected = file.rejected.map(({ variable, reason }) => ({
        file: path,
        message: variable,
        reason,
        variable,
      }));
      if (file.gridded.length === 0 && rejected.length === 0) {
        const reason = "the file has no variable on latitudes and longitudes";
        return { records, rejected: [{ file: path, message: "file", reason }], messages: 1 };
      }
      return { records, rejected, messages: 1 };
    },
    async decode(record) {
      if (record.kind !== "netcdf") throw new Error("the record is of another kind of file");
      const { grid, variable, step, levelIndex } = record;
      checkGridMemory(grid.latitude.count * grid.longitude.count, maxMemory);
      const { start, count } = file.blockOf(variable, step, levelIndex);
      await netcdf.load?.(variable, start, count);
      return file.readStep(variable, step, levelIndex);
    },
    nodes: (record) => (record.kind === "netcdf" ? file.nodes(record.variable) : undefined),
    close: () => file.close(),
  };
}

function netcdfRecords(
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

/** Decoding would use more memory than allowed. */
export class MemoryLimitError extends Error {
  override readonly name = "MemoryLimitError";
  constructor(what: string, needed: number, allowed: number) {
    super(
      `${what} takes about ${mebibytes(needed)} MiB, more than the ${mebibytes(allowed)} MiB allowed (--max-memory)`,
    );
  }
}

const PAGE = 65_536;
const MIB = 2 ** 20;

/** Throws if decoding a grid would exceed the limit, counting stored values, unpacked values and the result. */
export function checkGridMemory(cells: number, maxMemory: number): void {
  const needed = cells * 8;
  if (!(needed <= maxMemory)) throw new MemoryLimitError(`a grid of ${cells} cells`, needed, maxMemory);
}

/**
 * Limits the memory of the wasm modules of this thread, which a thread's resource limits do not count.
 *
 * Emscripten's modules grow by this call from JavaScript, so an exception here becomes a failed allocation inside them.
 */
export function limitWasmMemory(maxMemory: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function limited(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > maxMemory) throw new RangeError("wasm memory limit");
    return grow.call(this, pages);
  };
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MIB);
}
