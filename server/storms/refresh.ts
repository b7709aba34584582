import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { FeedText, Provider } from "@open-metocean/storms/bulletin";
import type { DerivedStorms, DeriveInput } from "./derive.ts";
import { type StormStore, SupersededError } from "./store.ts";

/** No text of a feed's storms could be read. They are unknown, which is not the same as no storms. */
export class UnreadableFeedError extends Error {
  override readonly name = "UnreadableFeedError";
  readonly problems: DerivedStorms["problems"];

  constructor(provider: Provider, { problems }: Pick<DerivedStorms, "problems">) {
    super(`No storm text of the feed of ${provider} could be read: nothing is replaced`);
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
  /** Origin of a computed feed: everything stored from another origin is deleted. */
  origin?: string | null;
}

/** A clock that is corrected is not a replay of the past. */
const CLOCK_SET_BACK_S = 3600;

/** Maximum number of attempts. Refreshes of one provider at the same time each win once. */
const MAX_ATTEMPTS = 5;

/**
 * Reads a feed and replaces what GET /storms answers for its provider. A feed that cannot be read, or a storm whose entry
 * is invalid, leaves what was published before. If another refresh of the provider was faster, the feed is read again: the
 * last one to be written has read its texts last.
 *
 * @throws UnreadableFeedError; errors of the feed and of the database.
 */
export async function refresh(feed: Feed, deps: RefreshDeps) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await refreshOnce(feed, deps);
    } catch (error) {
      if (!(error instanceof SupersededError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function refreshOnce(feed: Feed, { store, derive, now, signal, origin = null }: RefreshDeps) {
  const key = { provider: feed.provider, synthetic: feed.synthetic };
  // The snapshot is read before the texts, so that the replaced one is always older than they are.
  const before = await store.snapshot(key);
  const texts = await feed.texts(signal);
  // A replay of the past must not use what was received later.
  const isPast = before !== undefined && before.refreshedAt - now > CLOCK_SET_BACK_S;
  const continues = before && before.origin === origin && !isPast;
  const previous = continues ? before.storms : [];
  const known = continues ? { feed: before.feed, ...(before.areas && { areas: before.areas }) } : {};
  const derived = await derive({ provider: feed.provider, texts, previous, ...known, now });
  signal.throwIfAborted();
  // An outlook without storms has neither a report nor a problem.
  const faults = derived.problems.filter(({ isRead }) => !isRead);
  const unread = new Set(faults.map(({ source }) => source));
  const isUnread = texts.every(({ source }) => unread.has(source));
  // At first the storms of refused texts are unknown; later their published entries stay.
  const isFirstUnread = !continues && faults.some(({ line }) => line === 0);
  if (derived.reports === 0 && (isUnread || isFirstUnread))
    throw new UnreadableFeedError(feed.provider, derived);
  await store.replace(key, texts, derived.storms, now, before, origin, derived.feed, derived.areas);
  return { ...derived, texts: texts.length };
}

/** The texts of one provider. */
export interface Feed {
  provider: Provider;
  /** The feed is invented, not published by an agency. */
  synthetic: boolean;
  /** All texts that the feed has now. Rejects when it cannot be read in full; then nothing is replaced. */
  texts(signal: AbortSignal): Promise<FeedText[]>;
}

/** Exports of the module of a polled feed. They are called in the storms' worker thread. */
export interface FeedModule {
  /** @param now Weather clock, Unix seconds. */
  feedTexts(provider: Provider, now: number, options: unknown): FeedText[] | Promise<FeedText[]>;
}

/** A feed of all providers that the server reads on its own, whenever new bulletins are due. */
export interface PolledFeed {
  synthetic: boolean;
  /** Hides the snapshots of other feeds. Otherwise this feed stands in where a provider has no other snapshot. */
  takesPrecedence: boolean;
  /** Whether the feed's storms are published now. */
  isActive(): boolean | Promise<boolean>;
  /** Base time of the newest bulletins, Unix seconds. The feed is read when it changes. */
  newestBase(now: number): number;
  /** Seconds between bulletins, and how many earlier ones are backfilled when the server starts. */
  intervalS: number;
  backfilledBulletins: number;
  /** URL of a `FeedModule`, and its options, which are cloned into the worker thread. */
  module: string;
  options: unknown;
}

/** No text of a storm feed is this long. */
const MAX_BYTES = 20_000_000;

export class EmptyFeedError extends Error {
  override readonly name = "EmptyFeedError";

  constructor(folder: string) {
    super(`There is no text of a storm feed in ${folder}`);
  }
}

/**
 * A feed mirrored into a directory: all files in it and in its subdirectories.
 *
 * @param now Weather clock, Unix seconds.
 * @param mirrorOf Returns the host that gave a text.
 */
export function directoryFeed(
  provider: Provider,
  folder: string,
  now: number,
  mirrorOf: (source: string) => string | undefined = () => undefined,
): Feed {
  return {
    provider,
    synthetic: false,
    async texts(signal) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const texts: FeedText[] = [];
      for (const entry of entries) {
        signal.throwIfAborted();
        // Mirroring tools write hidden and partial files; the loop of another feed replaces a text by a draft.
        if (!entry.isFile() || /^\.|\.(?:part|tmp|gz|draft)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const source = path.relative(folder, file).split(path.sep).join("/");
        if ((await stat(file)).size > MAX_BYTES) {
          const refused = `larger than ${MAX_BYTES / 1e6} MB, as no text of a storm feed is`;
          texts.push({ source, text: "", receivedAt: now, refused });
          continue;
        }
        // PostgreSQL cannot store NUL, and no text of a feed contains it.
        const text = (await readFile(file, { encoding: "utf8", signal })).replaceAll("\0", "\uFFFD");
        const mirror = mirrorOf(source);
        texts.push({ source, text, receivedAt: now, ...(mirror !== undefined && { mirror }) });
      }
      if (texts.length === 0) throw new EmptyFeedError(folder);
      return texts.sort((one, other) => (one.source < other.source ? -1 : 1));
    },
  };
}
