import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { sharedWorld, staticWorld } from "#server/demo/static/static-world.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { type ChunkTask, computeChunks } from "./compute-chunks.ts";

/** What a worker is started with. */
export interface DemoSettings {
  seed: number;
  /** Where the static world is kept. */
  folder: string;
}

/** What it is asked: chunks, or for the memory of the static world. */
export type DemoTask = { world?: undefined } | (ChunkTask & { world: SharedArrayBuffer });

const { seed, folder } = workerData as DemoSettings;
let world: World | undefined;

/** Runs in a thread of its own: see `demoPool`. One of the threads reads the static world, and all use the same memory. */
export default function work(task: DemoTask): unknown {
  if (!task.world) return staticWorld(folder).land.buffer;
  world ??= { seed, static: sharedWorld(task.world) };
  const computed = computeChunks(world, task);
  return computed && move({ [transferableSymbol]: [computed.buffer], [valueSymbol]: computed } as never);
}
