// This file is separate because the page needs these limits but not the schemas of the contract.

/** Largest distance by water at which a station answers for a place by default, km. */
export const NEAR_KM = 40;

/** Distance up to which lists of stations around a place search for ways by water, km. */
export const AROUND_KM = 100;

/** Largest differences of the user's own secondary port, minutes and metres. */
export const ownPortLimits = { minutes: 720, metres: 20 } as const;

/** Below this speed a stream has no direction, knots. */
export const SLACK_KT = 0.1;
