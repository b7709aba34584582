export const objectives = ["within_limits", "fastest"] as const;

/** Which limits count: all of them, or that of storms alone. */
export type Objective = (typeof objectives)[number];

/** Where a better route comes from. */
export const origins = ["own", "shortest", "search"] as const;

export type Origin = (typeof origins)[number];
