import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import type { Provider } from "./bulletin.ts";
import { type DeriveInput, deriveStorms } from "./derive.ts";
import type { FeedModule, PolledFeed } from "./refresh.ts";

export interface TextsRequest extends Pick<PolledFeed, "module" | "options"> {
  provider: Provider;
  /** Weather clock, Unix seconds. */
  now: number;
}

// Entry of the storms' worker thread (see storm-thread.ts): parsers, cones and computed feeds take up to a second.
lowerPriority();

export const derive = workerFunction((input: DeriveInput) => deriveStorms(input));

export const texts = workerFunction(async ({ module, options, provider, now }: TextsRequest) => {
  const { feedTexts } = (await import(module)) as FeedModule;
  return feedTexts(provider, now, options);
});
