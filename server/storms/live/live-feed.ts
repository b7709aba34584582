import type { Provider } from "#server/storms/bulletin.ts";

/** A feed of storm texts that is fetched. */
export interface LiveFeed {
  /** As in FEEDS. */
  name: "jtwc" | "nhc" | "jma";
  title: string;
  credit: string;
  /** Whose storms its texts are on. */
  provider: Provider;
  /**
   * Brings the folder of the feed up to date, from `stormHosts` only.
   *
   * @throws What `LiveRound` throws.
   */
  collect(round: LiveRound): Promise<void>;
}

/** Where a text lies. */
export interface TextPlace {
  /** Its path in the folder of the feed. */
  file: string;
  /** Addresses of the same text, in order: the first one that gives a fresh text is enough. */
  urls: readonly string[];
  /** Asked for at most so often, seconds. */
  everyS: number;
  /** A text without news for longer is sought at the next address too, seconds; never without it. */
  freshS?: number;
}

/** One look at a feed. */
export interface LiveRound {
  /** Unix seconds. */
  now: number;
  /**
   * Brings a text up to date, if it is due. A text that is cut, unreadable or older than the one in the folder changes
   * nothing.
   *
   * @returns The text in the folder; undefined if there is none. `isOk` says whether an address gave it, now or when it was
   *   last due.
   * @throws OutOfBudgetError; the signal's reason.
   */
  text(place: TextPlace): Promise<{ text: string | undefined; isOk: boolean }>;
  /**
   * Brings a list of files or links up to date, which is no text of a storm.
   *
   * @param isWhole Whether a text is such a list, to its end.
   */
  page(
    place: TextPlace,
    isWhole: (text: string) => boolean,
  ): Promise<{ text: string | undefined; isOk: boolean }>;
  /** States that the feed does not work, because no address gave any of these texts. */
  lacks(...files: string[]): void;
  /** Removes a text of a storm that a list no longer has. */
  remove(file: string): Promise<void>;
  /** Paths of all texts in the folder. */
  files(): Promise<string[]>;
}
