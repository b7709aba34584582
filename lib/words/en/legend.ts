export const legend = {};

export type LegendWords = typeof legend;
