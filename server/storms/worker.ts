import { lowerPriority } from "#server/platform/lower-priority.ts";
import type { Provider } from "./bulletin.ts";
import { type DerivedStorms, type DeriveInput, deriveStorms } from "./derive.ts";
import type { FeedModule, FeedText, PolledFeed } from "./feed.ts";

export interface TextsRequest extends Pick<PolledFeed, "module" | "options"> {
  provider: Provider;
  /** Weather clock, Unix seconds. */
  now: number;
}

// Entry of the storms' worker thread (see thread.ts): parsers, cones and computed feeds take up to a second.
lowerPriority();

export function derive(input: DeriveInput): DerivedStorms {
  return deriveStorms(input);
}

export async function texts({ module, options, provider, now }: TextsRequest): Promise<FeedText[]> {
  const { feedTexts } = (await import(module)) as FeedModule;
  return feedTexts(provider, now, options);
}
