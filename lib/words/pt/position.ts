import type { PositionWords } from "../en/position.ts";

export const position: PositionWords = {};
