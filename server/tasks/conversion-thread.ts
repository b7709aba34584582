import { workerData } from "node:worker_threads";
import type { Env } from "#server/platform/env.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { workerFunction } from "#server/platform/worker-function.ts";
import { type Conversion, convertStored } from "./convert-stored.ts";

/** The workerData of the thread. */
export type ConversionThreadSettings = Pick<Env, "tasksDir" | "storage">;

// The entry module of the threads that write stored results in other formats.
lowerPriority();
const { tasksDir, storage } = workerData as ConversionThreadSettings;
// What can be made again leaves the space to what cannot.
const blobs = folderBlobStore(tasksDir, { reserveBytes: storage.minFreeBytes });

export const convert = workerFunction((conversion: Conversion, { signal }) =>
  convertStored(blobs, conversion, signal),
);
