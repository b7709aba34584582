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
  // Patches of one hour follow each other: most calls need no key.
  let latest: { seed: number; time: number; result: Result } | undefined;
  return (seed, time) => {
    if (latest?.time === time && latest.seed === seed) return latest.result;
    const key = `${seed} ${time}`;
    let result = cached.get(key);
    if (result === undefined) {
      result = compute(seed, time);
      cached.set(key, result);
    }
    latest = { seed, time, result };
    return result;
  };
}
