/** Largest request body, bytes: answered at once, and as a task. */
export const bodyLimits = { sync: 2 * 2 ** 20, async: 32 * 2 ** 20 } as const;
