/** How likely a tropical cyclone forms, in the words of the agencies. In a file without schemas, because the map needs it. */
export const likelihoods = ["low", "medium", "high"] as const;

export type Likelihood = (typeof likelihoods)[number];
