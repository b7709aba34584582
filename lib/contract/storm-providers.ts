/** Providers of bulletins. Separate from the schemas, because the map page needs it before they are loaded. */
export const stormProviders = ["jtwc", "jma"] as const;

export type StormProvider = (typeof stormProviders)[number];
