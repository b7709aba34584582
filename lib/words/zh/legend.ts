import type { LegendWords } from "../en/legend.ts";

export const legend: LegendWords = {};
