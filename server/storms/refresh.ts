import type { Provider } from "./bulletin.ts";
import type { DerivedStorms, DeriveInput } from "./derive.ts";
import type { Feed } from "./feed.ts";
import type { StormStore } from "./store.ts";

/** No text of a feed could be read. Its storms are unknown, which is not the same as no storms. */
export class UnreadableFeedError extends Error {
  override readonly name = "UnreadableFeedError";
  readonly problems: DerivedStorms["problems"];

  constructor(provider: Provider, { problems }: Pick<DerivedStorms, "problems">) {
    super(`No text of the feed of ${provider} could be read: nothing is replaced`);
    this.problems = problems;
  }
}

export interface RefreshDeps {
  store: Pick<StormStore, "snapshot" | "replace">;
  /** `deriveStorms`, in this thread or in another one. */
  derive: (input: DeriveInput) => DerivedStorms | Promise<DerivedStorms>;
  /** Weather clock, Unix seconds. */
  now: number;
  signal: AbortSignal;
  /** Deletes everything that was stored of the feed. */
  reset?: boolean;
}

/**
 * Reads a feed and replaces what GET /storms answers for its provider. A feed that cannot be read, or a storm whose entry
 * is invalid, leaves what was published before.
 *
 * @throws UnreadableFeedError; errors of the feed and of the database.
 */
export async function refresh(feed: Feed, { store, derive, now, signal, reset = false }: RefreshDeps) {
  const key = { provider: feed.provider, synthetic: feed.synthetic };
  const texts = await feed.texts(signal);
  const before = reset ? "reset" : ((await store.snapshot(key)) ?? "none");
  // A replay of the past must not use what was received later.
  const previous = typeof before === "object" && before.refreshedAt <= now ? before.storms : [];
  const derived = await derive({ provider: feed.provider, texts, previous, now });
  signal.throwIfAborted();
  // An outlook without storms has neither a report nor a problem.
  const unread = new Set(derived.problems.map(({ source }) => source));
  if (derived.reports === 0 && texts.every(({ source }) => unread.has(source)))
    throw new UnreadableFeedError(feed.provider, derived);
  await store.replace(key, texts, derived.storms, now, before);
  return { ...derived, texts: texts.length };
}
