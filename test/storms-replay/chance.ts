import { seeded } from "#test/seeded.ts";

/** Random choices that a seed repeats. */
export interface Chance {
  /** True with a probability of 0..1. */
  is(probability: number): boolean;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  of<Item>(items: readonly Item[]): Item;
}

export function chance(seed: number): Chance {
  const random = seeded(seed);
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    is: (probability) => random() < probability,
    between,
    of: (items) => items[between(0, items.length - 1)]!,
  };
}
