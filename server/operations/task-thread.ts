import { workerData } from "node:worker_threads";
import { type ArchiveSettings, openArchive } from "#server/context/archive.ts";
import { weatherClock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";
import { isNoSpace, NoSpaceError } from "#server/platform/errors.ts";
import { openBlobs } from "#server/platform/folder-blob-store.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { MachineFailureError } from "#server/tasks/worker.ts";
import { openTides } from "#server/tides/tides.ts";
import { makeOpengribsFile, type OpengribsFile } from "./opengribs-file.ts";
import { type PieceInput, pieceComputer } from "./task-pieces.ts";

/** The workerData of the thread. */
export type TaskThreadSettings = ArchiveSettings &
  Pick<Env, "blobs" | "tasks" | "storage" | "memory" | "nonCommercialTides">;

/**
 * The idle time is short because the gates of a task are predicted once, and the process that accepted it has a tides
 * database of its own.
 */
const TIDES_IDLE_MS = 3_000;

// This is the entry module of the thread that computes tasks. It reads a request from the blob store and writes pieces
// and the result there. It has an archive of its own, and no database.
const settings = workerData as TaskThreadSettings;
// Threads that it starts inherit the priority.
lowerPriority();
const blobs = await openBlobs(settings.blobs, settings.storage.minFreeBytes / 2);
const openingArchive = openArchive(settings, weatherClock(settings.frozenAt), {
  demoThreads: settings.memory.demoThreads.tasks,
});
const opening = openingArchive.then((archive) =>
  pieceComputer({
    archive,
    // The tides thread starts with the first task that has gates.
    tides: openTides({ nonCommercial: settings.nonCommercialTides }, TIDES_IDLE_MS),
    blobs,
    resultSeconds: settings.tasks.resultSeconds,
  }),
);

export const computePiece = workerFunction(async (input: PieceInput, context) => {
  try {
    const nextPiece = await opening;
    return await nextPiece(input, context);
  } catch (error) {
    // Error codes do not reach the calling thread.
    throw MachineFailureError.of(error) ?? error;
  }
});

export const opengribsFile = workerFunction(async (file: OpengribsFile, { signal }) => {
  try {
    return await makeOpengribsFile({ archive: await openingArchive, blobs }, file, signal);
  } catch (error) {
    throw isNoSpace(error) ? new NoSpaceError() : error;
  }
});
