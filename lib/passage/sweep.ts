import { HOUR_S } from "#lib/time.ts";
import { type Verdict, verdicts } from "./verdict.ts";

/** A departure, as far as it is compared with others. */
export interface Compared {
  verdict: Verdict;
  /** It arrives, with the weather known all the way. */
  isWhole: boolean;
  seconds: number;
  /** The worst ratio of each piece, mean over the time; null where none is known. */
  meanRatio: number | null;
}

export const orders = ["fastest", "smoothest", "balanced"] as const;

export type Order = (typeof orders)[number];

/** The departures of a sweep, Unix seconds, both ends included. */
export function departuresOf(from: number, to: number, stepHours: number): number[] {
  const count = Math.floor((to - from) / (stepHours * HOUR_S)) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => from + index * stepHours * HOUR_S);
}

/**
 * Positions of departures, best first. `fastest` by duration, `smoothest` by how near the limits they are on average,
 * `balanced` by verdict, then by both: duration over that of the fastest, plus the ratio. Those that do not arrive, or with
 * an unknown part, come last in each.
 */
export function sortedDepartures(departures: readonly Compared[]): Record<Order, number[]> {
  const whole = departures.filter(({ isWhole }) => isWhole);
  const shortest = Math.max(1, Math.min(...whole.map(({ seconds }) => seconds)));
  const ratio = ({ meanRatio }: Compared) => meanRatio ?? Number.POSITIVE_INFINITY;
  const keys: Record<Order, (one: Compared) => number[]> = {
    fastest: (one) => [one.seconds, ratio(one)],
    smoothest: (one) => [ratio(one), one.seconds],
    balanced: (one) => [verdicts.indexOf(one.verdict), one.seconds / shortest + ratio(one)],
  };
  const by = (key: (one: Compared) => number[]) =>
    departures
      .map((one, index) => ({ index, key: [one.isWhole ? 0 : 1, ...key(one)] }))
      .sort((one, other) => compareLists(one.key, other.key) || one.index - other.index)
      .map(({ index }) => index);
  return { fastest: by(keys.fastest), smoothest: by(keys.smoothest), balanced: by(keys.balanced) };
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    // Two infinite ones are equal.
    const against = other[index]!;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
