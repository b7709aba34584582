// In a file of its own: the page needs these, and not the schemas of the contract.

/** Largest distance at which a station answers for a place by default, km. */
export const NEAR_KM = 40;

/** Below this speed a stream has no direction, knots. */
export const SLACK_KT = 0.1;
