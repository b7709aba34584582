import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {};
