/**
 * Remembers the last results of a pure function of seed and time, because every patch of one hour asks for the same
 * weather systems.
 *
 * @param size How many results are kept; the oldest is forgotten first.
 */
export function memoByTime<Result>(
  compute: (seed: number, time: number) => Result,
  size = 128,
): (seed: number, time: number) => Result {
  const held = new Map<number, Map<number, Result>>();
  return (seed, time) => {
    let ofSeed = held.get(seed);
    if (!ofSeed) {
      if (held.size >= 4) held.delete(held.keys().next().value!);
      ofSeed = new Map();
      held.set(seed, ofSeed);
    }
    const known = ofSeed.get(time);
    if (known !== undefined) return known;
    const result = compute(seed, time);
    if (ofSeed.size >= size) ofSeed.delete(ofSeed.keys().next().value!);
    ofSeed.set(time, result);
    return result;
  };
}
