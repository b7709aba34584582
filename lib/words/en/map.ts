export const map = {};

export type MapWords = typeof map;
