import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { type ChunkTask, computeChunks } from "#server/archive/demo/compute-chunks.ts";
import { staticWorld } from "#server/archive/demo/static-world.ts";
import type { World } from "#server/archive/demo/world.types.ts";

/** What a worker is started with. */
export interface DemoSettings {
  seed: number;
  /** Where the static world is kept. */
  folder: string;
}

const { seed, folder } = workerData as DemoSettings;
const world: World = { seed, static: staticWorld(folder) };

/** Runs in a thread of its own: see `demoPool`. No chunks only make the world ready. */
export default function work(task: ChunkTask): unknown {
  if (task.chunks.length === 0) return undefined;
  const computed = computeChunks(world, task);
  return computed && move({ [transferableSymbol]: [computed.buffer], [valueSymbol]: computed } as never);
}
