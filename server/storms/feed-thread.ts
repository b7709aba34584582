import type { Provider } from "@open-metocean/storms/bulletin";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { type DerivedStorms, type DeriveInput, deriveStorms } from "./derive.ts";
import type { FeedModule, PolledFeed } from "./refresh.ts";

export interface TextsRequest extends Pick<PolledFeed, "module" | "options"> {
  provider: Provider;
  /** Weather clock, Unix seconds. */
  now: number;
}

export interface DeriveRequest extends DeriveInput {
  /** Index of the text that is being read, for the thread that watches this one. */
  current: Int32Array<SharedArrayBuffer>;
}

// Entry of the storms' worker thread (see storm-thread.ts): parsers, cones and computed feeds take up to a second.
lowerPriority();

export const derive = workerFunction(
  ({ current, ...input }: DeriveRequest): DerivedStorms =>
    deriveStorms(input, (index) => Atomics.store(current, 0, index)),
);

export const texts = workerFunction(async ({ module, options, provider, now }: TextsRequest) => {
  const { feedTexts } = (await import(module)) as FeedModule;
  return feedTexts(provider, now, options);
});
