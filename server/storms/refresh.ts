import type { build } from "#server/storms/build.ts";
import type { Feed } from "#server/storms/feed.ts";
import type { StormStore } from "#server/storms/store.ts";

export interface RefreshParts {
  store: Pick<StormStore, "snapshot" | "replace">;
  /** Turns texts into storms: here, or in another thread. */
  build: (...input: Parameters<typeof build>) => ReturnType<typeof build> | Promise<ReturnType<typeof build>>;
  /** Weather clock, Unix seconds. */
  now: number;
  signal: AbortSignal;
  /** Begins anew, without what the feed said before. */
  afresh?: boolean;
}

/**
 * Reads a feed and replaces what GET /storms answers for its provider. A feed that cannot be read, or a storm whose entry
 * is no good, changes nothing of what was published before.
 *
 * @throws What the feed or the database throws.
 */
export async function refresh(feed: Feed, { store, build, now, signal, afresh = false }: RefreshParts) {
  const key = { provider: feed.provider, synthetic: feed.synthetic };
  const texts = await feed.texts(signal);
  const before = afresh ? undefined : await store.snapshot(key);
  // A replay of the past knows nothing of what was heard later.
  const previous = before && before.refreshedAt <= now ? before.storms : [];
  const built = await build({ provider: feed.provider, texts, previous, now });
  signal.throwIfAborted();
  await store.replace(key, texts, built.storms, now, afresh);
  return { ...built, texts: texts.length };
}
