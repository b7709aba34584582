import type { Deck } from "./deck.ts";

/** A storm of a season, with its times and numbers. */
export interface SeasonDeck {
  /** Index in the season. */
  index: number;
  deck: Deck;
  season: number;
  /** Number as an invest, and the index of the first fix under the storm's own number. */
  invest?: { number: number; until: number };
  /** Number that the centre of the next basin gives the storm too, and the index of the first fix in its deck. */
  second?: { basin: string; number: number; from: number };
  /** Rows of a real a-deck, by their base. */
  guidance?: Map<number, string[]>;
}
