import { LRUCache } from "lru-cache";

/**
 * Caches the latest results of a pure function of seed and time: every patch of one hour needs the same weather systems.
 *
 * @param max How many results are cached: those of an hour take up to a hundred kilobytes.
 */
export function memoByTime<Result extends object>(
  compute: (seed: number, time: number) => Result,
  max = 48,
): (seed: number, time: number) => Result {
  const cached = new LRUCache<string, Result>({ max });
  return (seed, time) => {
    const key = `${seed} ${time}`;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const result = compute(seed, time);
    cached.set(key, result);
    return result;
  };
}
