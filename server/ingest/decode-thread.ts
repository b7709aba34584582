import { workerData } from "node:worker_threads";
import { GribError } from "@open-metocean/grib2/octets";
import {
  type CellPositions,
  locateInCells,
  type NodeGrid,
  regrid,
  regridDirections,
  turnToEarth,
} from "@open-metocean/grib2/regrid";
import { DamagedFileError } from "#server/ingest/netcdf/file.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { openDataFile } from "./data-file.ts";
import { type DecoderOptions, InvalidDataError } from "./decoder.ts";
import { checkGridMemory, limitWasmMemory, MemoryLimitError } from "./netcdf-file.ts";
import { type DataFile, type FieldRecord, gridKey, type Meaning } from "./record.ts";

// This is the entry module of the thread of `createDecoder`.

const { maxMemory } = workerData as Pick<DecoderOptions, "maxMemory">;
limitWasmMemory(maxMemory);

// HDF5 prints its errors besides throwing them.
process.stdout.write = () => true;
process.stderr.write = () => true;

/** The last file stays open, because the records of a file are decoded one after another. */
let open: DataFile | undefined;

async function fileAt(path: string): Promise<DataFile> {
  if (open?.path === path) return open;
  open?.close();
  open = undefined;
  open = await openDataFile(path, maxMemory);
  return open;
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GribError) throw new InvalidDataError(error.reason);
    if (error instanceof DamagedFileError || error instanceof MemoryLimitError)
      throw new InvalidDataError(error.message);
    throw error;
  }
}

/**
 * Opens the file again for each scan, because a file that was fetched again has the same path, and an open handle
 * belongs to the old one.
 */
export const scan = workerFunction((file: string) =>
  explained(async () => {
    open?.close();
    open = undefined;
    return (await fileAt(file)).scan();
  }),
);

export const decode = workerFunction(
  ({ record, partner, isDirection }: { record: FieldRecord } & Meaning) =>
    explained(async () => {
      const other = partner && (await (await fileAt(partner.record.file)).decode(partner.record));
      const file = await fileAt(record.file);
      const values = await file.decode(record);
      const nodes = file.nodes?.(record);
      if (!nodes) return values;
      const positions = positionsIn(nodes, record);
      if (isDirection) return regridDirections(values, positions);
      if (!partner || !other) return regrid(values, positions);
      const [u, v] = partner.toward === "east" ? [values, other] : [other, values];
      return regrid(turnToEarth(u, v, nodes, partner.toward), positions);
    }),
  ({ buffer }) => [buffer as ArrayBuffer],
);

/** Cell positions of the last grid. The files of a run usually share one grid. */
let located: { key: string; positions: CellPositions } | undefined;

function positionsIn(nodes: NodeGrid, record: FieldRecord): CellPositions {
  const { latitude, longitude } = record.grid;
  checkGridMemory(latitude.count * longitude.count * 2, maxMemory);
  const key = `${nodes.key} ${gridKey(record.grid)}`;
  if (located?.key !== key) located = { key, positions: locateInCells(nodes, record.grid) };
  return located.positions;
}
