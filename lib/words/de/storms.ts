import type { StormsWords } from "../en/storms.ts";

export const storms: StormsWords = {};
