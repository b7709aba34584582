import { parentPort, workerData } from "node:worker_threads";
import { GribError } from "#server/ingest/grib2/grib-error.ts";
import { DamagedFileError } from "#server/ingest/netcdf/file.ts";
import { openDataFile } from "./data-file.ts";
import type { DecodeReply, DecodeRequest, DecodeWorkerData } from "./decoder.ts";
import { limitWasmMemory, MemoryLimitError } from "./memory-limit.ts";
import type { DataFile } from "./record.ts";

/** The other side of `decoder.ts`: one request, one reply. */

const { maxMemory } = workerData as DecodeWorkerData;
limitWasmMemory(maxMemory);

/** The file of the last request stays open: a run asks for a file's records one after the other. */
let open: DataFile | undefined;

/** Failures that our own readers saw coming, and that leave them as they were. */
const ordinary = [DamagedFileError, GribError, MemoryLimitError];

parentPort?.on("message", async (request: DecodeRequest) => {
  const { call } = request;
  try {
    if (request.work === "scan") {
      reply({ call, scan: (await fileAt(request.file)).scan() });
    } else {
      const values = (await fileAt(request.record.file)).decode(request.record);
      reply({ call, values }, [values.buffer as ArrayBuffer]);
    }
  } catch (error) {
    reply({ call, error: reasonOf(error), reusable: ordinary.some((kind) => error instanceof kind) });
  }
});

function reasonOf(error: unknown): string {
  if (error instanceof GribError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

async function fileAt(path: string): Promise<DataFile> {
  if (open?.path === path) return open;
  open?.close();
  open = undefined;
  open = await openDataFile(path, maxMemory);
  return open;
}

function reply(message: DecodeReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
