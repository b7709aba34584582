/**
 * Providers of bulletins. Separate from the schemas, because the map page needs them before the schemas are
 * loaded.
 */
export const stormProviders = ["jtwc", "jma"] as const;

export type StormProvider = (typeof stormProviders)[number];

export const dangerMethods = ["classic", "season"] as const;

/**
 * How the forecast error is estimated: `classic` 100 n mi a day (the mariner's 1-2-3 rule), `season` the radii of the
 * storm's cone.
 */
export type DangerMethod = (typeof dangerMethods)[number];

/**
 * How likely it is that a tropical cyclone forms, in the agencies' words. Separate from the schemas, because
 * the map needs it.
 */
export const likelihoods = ["low", "medium", "high"] as const;

export type Likelihood = (typeof likelihoods)[number];
