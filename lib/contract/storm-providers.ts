/** Providers of bulletins. Separate from the schemas, because the map page needs it before they are loaded. */
export const stormProviders = ["jtwc", "jma"] as const;

export type StormProvider = (typeof stormProviders)[number];

/** End of the 503 where no storms of a provider were ever received: a busy service has the same status. */
export const stormsNotReceived = "have not been received yet";
