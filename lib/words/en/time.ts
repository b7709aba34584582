export const time = {};

export type TimeWords = typeof time;
