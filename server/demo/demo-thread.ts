import { workerData } from "node:worker_threads";
import { sharedWorld, staticWorld } from "#server/demo/static/static-world.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { type CellTask, computeCells } from "./compute-cells.ts";
import { type ChunkTask, computeChunks } from "./compute-chunks.ts";

// The entry module of the threads of `demoPool`. One of them reads the static world, and all use the same memory.

/** The workerData of a thread. */
export interface DemoSettings {
  seed: number;
  /** Where the static world is stored. */
  folder: string;
}

type InWorld<Task> = Task & { world: SharedArrayBuffer };

export type ComputeInput = InWorld<ChunkTask> | InWorld<CellTask>;

// Below the thread that answers requests, and above that of tasks, whose own threads have its priority.
lowerPriority("quarter");

const { seed, folder } = workerData as DemoSettings;
let world: World | undefined;

export const readStaticWorld = workerFunction(() => staticWorld(folder).land.buffer);

export const compute = workerFunction(
  (input: ComputeInput) => {
    world ??= { seed, static: sharedWorld(input.world) };
    return "cells" in input ? computeCells(world, input) : computeChunks(world, input);
  },
  (computed) => (computed ? [computed.buffer] : []),
);
