import { parentPort, workerData } from "node:worker_threads";
import { type DataFile, openDataFile } from "./data-file.ts";
import type { DecodeReply, DecodeRequest, DecodeWorkerData } from "./decoder.ts";
import { limitWasmMemory, MemoryLimitError } from "./memory-limit.ts";
import { DamagedFileError } from "./netcdf/file.ts";

/** The other side of `decoder.ts`: one request, one reply. */

const { maxMemory } = workerData as DecodeWorkerData;
limitWasmMemory(maxMemory);

/** The file of the last request stays open: a run asks for a file's records one after the other. */
let open: DataFile | undefined;

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
    const text = error instanceof Error ? error.message : String(error);
    reply({
      call,
      error: text,
      inOrder: error instanceof DamagedFileError || error instanceof MemoryLimitError,
    });
  }
});

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
