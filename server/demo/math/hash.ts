/**
 * Hashes up to four integers to 32 well-mixed bits: the only source of randomness in the demo world.
 *
 * Murmur3's finaliser over each word, in integer arithmetic alone, so that every engine gets the same planet.
 */
export function hash(seed: number, a: number, b = 0, c = 0): number {
  let h = mix(seed ^ 0x9e3779b9);
  h = mix(h ^ Math.imul(a | 0, 0x85ebca6b));
  h = mix((h + 0x6d2b79f5) ^ Math.imul(b | 0, 0xc2b2ae35));
  return mix((h + 0x1b873593) ^ Math.imul(c | 0, 0x27d4eb2f));
}

/** `hash` as a number in [0, 1). */
export function hash01(seed: number, a: number, b = 0, c = 0): number {
  return hash(seed, a, b, c) / 4294967296;
}

function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
