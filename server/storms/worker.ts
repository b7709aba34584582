import { demoTexts } from "#server/demo/storms/feed.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { type BuildInput, type Built, build } from "./build.ts";
import type { Provider } from "./bulletin.ts";
import type { FeedText } from "./feed.ts";

export interface DemoTask {
  provider: Provider;
  seed: number;
  now: number;
}

// Runs in a thread of its own: see `stormThread`. Parsers, cones and the demo's wind fields take up to a second.
lowerPriority();

export function fold(input: BuildInput): Built {
  return build(input);
}

export function invent({ provider, seed, now }: DemoTask): FeedText[] {
  return demoTexts(provider, seed, now);
}
