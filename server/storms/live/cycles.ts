/** Lists say what is new; agencies renew them with each advisory, and at any time when a storm forms. */
export const LIST_EVERY_S = 600;

/** Advisories and fixes come every 3 to 6 h, and not to the minute. */
export const TEXT_EVERY_S = 1800;

/** Advisories, warnings and fixes of a storm. A text that is two of them old is sought at the next mirror too. */
export const CYCLE_S = 6 * 3600;
