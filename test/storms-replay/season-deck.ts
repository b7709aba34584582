import type { Deck } from "./deck.ts";

/** A storm of a season, with its times and numbers. */
export interface SeasonDeck {
  /** Index in the season. */
  index: number;
  deck: Deck;
  season: number;
  /** Number as an invest, and the index of the first fix under the storm's own number. */
  invest?: { number: number; until: number };
  /** Rows of a real a-deck, by their base. */
  guidance?: Map<number, string[]>;
}
