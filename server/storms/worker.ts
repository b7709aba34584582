import { demoTexts } from "#server/demo/storms/feed.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { workerFunction } from "#server/platform/worker-function.ts";
import { build } from "./build.ts";
import type { Provider } from "./bulletin.ts";

export interface DemoTask {
  provider: Provider;
  seed: number;
  now: number;
}

// Runs in a thread of its own: see `stormThread`. Parsers, cones and the demo's wind fields take up to a second.
lowerPriority();

export const fold = workerFunction(build);

export const invent = workerFunction(({ provider, seed, now }: DemoTask) => demoTexts(provider, seed, now));
