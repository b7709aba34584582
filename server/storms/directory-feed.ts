import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Provider } from "./bulletin.ts";
import type { Feed, FeedText } from "./feed.ts";

/** No text of a storm feed is longer by far; what is longer is no text. */
const MAX_BYTES = 20_000_000;

export class EmptyFeedError extends Error {
  override readonly name = "EmptyFeedError";

  constructor(folder: string) {
    super(`There is no text of a storm feed in ${folder}`);
  }
}

/**
 * A feed that somebody mirrored into a directory: all files in it and below.
 *
 * @param now Weather clock, Unix seconds.
 */
export function directoryFeed(provider: Provider, folder: string, now: number): Feed {
  return {
    provider,
    synthetic: false,
    async texts(signal) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const texts: FeedText[] = [];
      for (const entry of entries) {
        signal.throwIfAborted();
        // A half-written or hidden file is a mirror's own business.
        if (!entry.isFile() || /^\.|\.(?:part|tmp|gz)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        if ((await stat(file)).size > MAX_BYTES) continue;
        const source = path.relative(folder, file).split(path.sep).join("/");
        // PostgreSQL keeps no NUL in a text, and no text of a feed has one.
        const text = (await readFile(file, { encoding: "utf8", signal })).replaceAll("\0", "\uFFFD");
        texts.push({ source, text, receivedAt: now });
      }
      if (texts.length === 0) throw new EmptyFeedError(folder);
      return texts.sort((one, other) => (one.source < other.source ? -1 : 1));
    },
  };
}
