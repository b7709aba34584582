import type { Provider } from "./bulletin.ts";

/** A text as a feed published it. */
export interface FeedText {
  /** Its path in the feed, with `/`: it tells the season of a deck and the code of a JMA storm. */
  source: string;
  text: string;
  /** Weather clock when it was received, Unix seconds. */
  receivedAt: number;
}

/** Where the texts of a provider come from: a directory, the demo world, a network. */
export interface Feed {
  provider: Provider;
  /** Made by the demo world, not by an agency. */
  synthetic: boolean;
  /** All texts that it has now. Rejects when it cannot be read in full: then nothing is replaced. */
  texts(signal: AbortSignal): Promise<FeedText[]>;
}
