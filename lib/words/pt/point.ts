import type { PointWords } from "../en/point.ts";

export const point: PointWords = {};
