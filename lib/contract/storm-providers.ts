/** Whose bulletins are read. Apart from the schemas: the map page needs it before these are loaded. */
export const stormProviders = ["jtwc", "jma"] as const;

export type StormProvider = (typeof stormProviders)[number];
