export const storms = {};

export type StormsWords = typeof storms;
