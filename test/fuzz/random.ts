import { seeded } from "#test/seeded.ts";

export interface Random {
  /** A whole number in [0, end). */
  below(end: number): number;
  /** A number in [from, to). */
  between(from: number, to: number): number;
  chance(share: number): boolean;
  of<T>(list: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  const next = seeded(seed);
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    between: (from, to) => from + next() * (to - from),
    chance: (share) => next() < share,
    of: (list) => list[below(list.length)]!,
  };
}
