import type { AccessWords } from "../en/access.ts";

export const access: AccessWords = {};
