import type { TimeWords } from "../en/time.ts";

export const time: TimeWords = {};
