// What contract, service and page share; the page does not load the contract for it.

/** How far away a tide or a stream may be taken from where nothing else is said, km. */
export const NEAR_KM = 40;

/** Below it a stream has no direction worth telling, knots. */
export const SLACK_KT = 0.1;
