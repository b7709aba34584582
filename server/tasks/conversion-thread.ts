import { workerData } from "node:worker_threads";
import type { Env } from "#server/platform/env.ts";
import { openBlobs } from "#server/platform/folder-blob-store.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { type Conversion, convertStored } from "./conversions.ts";

/** The workerData of the thread. */
export type ConversionThreadSettings = Pick<Env, "blobs" | "storage">;

// This is the entry module of the threads that write stored results in other formats.
lowerPriority();
const { blobs: place, storage } = workerData as ConversionThreadSettings;
// Conversions can be repeated, so they leave the last disk space to data that cannot.
const blobs = await openBlobs(place, storage.minFreeBytes);

export const convert = workerFunction((conversion: Conversion, { signal }) =>
  convertStored(blobs, conversion, signal),
);
