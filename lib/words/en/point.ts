export const point = {};

export type PointWords = typeof point;
