import type { StatusWords } from "../en/status.ts";

export const status: StatusWords = {};
