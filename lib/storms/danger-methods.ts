export const dangerMethods = ["classic", "season"] as const;

/**
 * How the error of the forecast is reckoned: `classic` 100 n mi a day (the mariner's 1-2-3 rule), `season` the radii that
 * the storm's cone is drawn with.
 */
export type DangerMethod = (typeof dangerMethods)[number];
