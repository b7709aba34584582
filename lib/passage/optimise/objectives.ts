export const objectives = ["within_limits", "fastest"] as const;

/** `within_limits`: fewest hours beyond the limits, of equal ones the fastest. `fastest`: the limits are only shown. */
export type Objective = (typeof objectives)[number];

/** Where a better route comes from. */
export const origins = ["own", "shortest", "search"] as const;

export type Origin = (typeof origins)[number];
