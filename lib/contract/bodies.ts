/** Largest request body, bytes: of a synchronous request, and of a task. */
export const bodyLimits = { sync: 2 * 2 ** 20, async: 32 * 2 ** 20 } as const;

/** Of a visitor without a key. A page sends less. */
export const guestBodyLimit = 128 * 1024;
