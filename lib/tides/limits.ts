// In a file of its own: the page needs these, and not the schemas of the contract.

/** Largest distance by water at which a station answers for a place by default, km. */
export const NEAR_KM = 40;

/** Lists of stations around a place look for ways by water as far as this, km. */
export const AROUND_KM = 100;

/** Below this speed a stream has no direction, knots. */
export const SLACK_KT = 0.1;
