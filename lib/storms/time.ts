/** Seconds of an hour. */
export const HOUR_S = 3600;

/** Seconds of a day. */
export const DAY_S = 24 * HOUR_S;
