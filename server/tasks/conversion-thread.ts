import { workerData } from "node:worker_threads";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { workerFunction } from "#server/platform/worker-function.ts";
import { type Conversion, convertStored } from "./convert-stored.ts";

/** The workerData of the thread. */
export interface ConversionThreadSettings {
  tasksDir: string;
}

// The entry module of the threads that write stored results in other formats.
lowerPriority();
const blobs = folderBlobStore((workerData as ConversionThreadSettings).tasksDir);

export const convert = workerFunction((conversion: Conversion, { signal }) =>
  convertStored(blobs, conversion, signal),
);
