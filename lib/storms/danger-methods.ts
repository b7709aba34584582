export const dangerMethods = ["classic", "season"] as const;

/**
 * How the forecast error is estimated: `classic` 100 n mi a day (the mariner's 1-2-3 rule), `season` the radii of the
 * storm's cone.
 */
export type DangerMethod = (typeof dangerMethods)[number];
