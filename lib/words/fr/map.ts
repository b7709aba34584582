import type { MapWords } from "../en/map.ts";

export const map: MapWords = {};
