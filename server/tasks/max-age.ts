/** A measurement of all tasks is used for so long, milliseconds, and for so many times as long as it took. */
const MIN_AGE_MS = 1_000;
const AGE_RATIO = 20;

/**
 * How long a measurement is used before it is repeated: whatever it takes, it takes at most a twentieth of the time.
 *
 * @param tookMs How long measuring took, milliseconds.
 * @returns Milliseconds.
 */
export function maxAge(tookMs: number): number {
  return Math.max(MIN_AGE_MS, AGE_RATIO * tookMs);
}
