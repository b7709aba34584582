export const status = {};

export type StatusWords = typeof status;
