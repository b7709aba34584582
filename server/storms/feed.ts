import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Provider } from "./bulletin.ts";

/** A text as a feed published it. */
export interface FeedText {
  /** Its path in the feed, with `/`. Parsers take the season of a deck and the code of a JMA storm from it. */
  source: string;
  text: string;
  /** Weather clock when it was received, Unix seconds. */
  receivedAt: number;
  /** Host that gave it, of a feed that is fetched. */
  mirror?: string | undefined;
  /** Why it is not read. It is not stored either. */
  refused?: string;
}

/** The texts of one provider. */
export interface Feed {
  provider: Provider;
  /** Invented, not published by an agency. */
  synthetic: boolean;
  /** All texts that the feed has now. Rejects when it cannot be read in full; then nothing is replaced. */
  texts(signal: AbortSignal): Promise<FeedText[]>;
}

/** What the module of a polled feed exports. It is called in the storms' worker thread. */
export interface FeedModule {
  /** @param now Weather clock, Unix seconds. */
  feedTexts(provider: Provider, now: number, options: unknown): FeedText[] | Promise<FeedText[]>;
}

/** A feed of all providers that the server reads on its own, whenever new bulletins are due. */
export interface PolledFeed {
  synthetic: boolean;
  /** Hides the snapshots of other feeds. Otherwise this feed stands in where a provider has no other snapshot. */
  takesPrecedence: boolean;
  /** Whether its storms are published now. */
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

/** Longer than any text of a storm feed. */
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
 * @param mirrorOf Host that gave a text.
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
        // Mirroring tools write hidden and partial files.
        if (!entry.isFile() || /^\.|\.(?:part|tmp|gz)$/.test(entry.name)) continue;
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
