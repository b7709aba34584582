import { yieldToServing } from "#server/platform/background.ts";
import { type BuildInput, type Built, build } from "#server/storms/build.ts";
import type { Provider } from "#server/storms/bulletin.ts";
import { demoTexts } from "#server/storms/demo/feed.ts";
import type { FeedText } from "#server/storms/feed.ts";

export interface DemoTask {
  provider: Provider;
  seed: number;
  now: number;
}

// Runs in a thread of its own: see `stormThread`. Parsers, cones and the demo's wind fields take up to a second.
yieldToServing();

export function fold(input: BuildInput): Built {
  return build(input);
}

export function invent({ provider, seed, now }: DemoTask): FeedText[] {
  return demoTexts(provider, seed, now);
}
