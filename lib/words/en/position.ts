export const position = {};

export type PositionWords = typeof position;
