import type { Built, build } from "./build.ts";
import type { Provider } from "./bulletin.ts";
import type { Feed } from "./feed.ts";
import type { StormStore } from "./store.ts";

/** Nothing that a feed holds is a text of storms: what it says of them is not known, which is not that there are none. */
export class UnreadableFeedError extends Error {
  override readonly name = "UnreadableFeedError";
  readonly problems: Built["problems"];

  constructor(provider: Provider, { problems }: Pick<Built, "problems">) {
    super(`No text of the feed of ${provider} could be read: nothing is replaced`);
    this.problems = problems;
  }
}

export interface RefreshDeps {
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
 * @throws UnreadableFeedError; what the feed or the database throws.
 */
export async function refresh(feed: Feed, { store, build, now, signal, afresh = false }: RefreshDeps) {
  const key = { provider: feed.provider, synthetic: feed.synthetic };
  const texts = await feed.texts(signal);
  const before = afresh ? "forgotten" : ((await store.snapshot(key)) ?? "none");
  // A replay of the past knows nothing of what was heard later.
  const previous = typeof before === "object" && before.refreshedAt <= now ? before.storms : [];
  const built = await build({ provider: feed.provider, texts, previous, now });
  signal.throwIfAborted();
  // An outlook without storms has no report either, and no problem.
  const unread = new Set(built.problems.map(({ source }) => source));
  if (built.reports === 0 && texts.every(({ source }) => unread.has(source)))
    throw new UnreadableFeedError(feed.provider, built);
  await store.replace(key, texts, built.storms, now, before);
  return { ...built, texts: texts.length };
}
