/** Seconds before the next attempt, by the number of attempts so far; then always the last. */
const WAITS_S = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200];

/** Attempts of many deliveries that failed together spread over ±20 %. */
const JITTER = 0.2;

/** A target that asks for more waits no longer: then it has failed for a day. */
const MAX_RETRY_AFTER_S = 86_400;

/**
 * When to try again.
 *
 * @param attempts So far, from 1.
 * @param askedS What the target asked for.
 * @param random In [0, 1).
 * @returns Seconds, never less than what the target asked for.
 */
export function retrySeconds(attempts: number, askedS: number, random: number): number {
  const wait = WAITS_S[Math.min(attempts, WAITS_S.length) - 1]!;
  return Math.max(wait * (1 + JITTER * (2 * random - 1)), askedS);
}

/**
 * Reads a Retry-After header: seconds, or a date.
 *
 * @param now Unix seconds.
 * @returns Seconds from now, 0 to a day; 0 where there is none that can be read.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000 - now;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S);
}
