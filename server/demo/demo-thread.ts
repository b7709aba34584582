import { workerData } from "node:worker_threads";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { compute as computeItems, type Task } from "./compute.ts";
import { sharedWorld, staticWorld, type World } from "./static/world.ts";

// This is the entry module of the threads of `demoPool`. One thread reads the static world, and all use the same
// memory.

export interface DemoSettings {
  seed: number;
  /** Folder in which the static world is stored. */
  folder: string;
}

// The priority is below that of the request thread and above that of the threads of tasks.
lowerPriority("quarter");

const { seed, folder } = workerData as DemoSettings;
let world: World | undefined;

export const readStaticWorld = workerFunction(() => staticWorld(folder).land.buffer);

export const compute = workerFunction(
  (task: Task & { memory: SharedArrayBuffer }) => {
    world ??= { seed, static: sharedWorld(task.memory) };
    return computeItems(world, task);
  },
  (computed) => (computed ? [computed.bytes.buffer] : []),
);
