import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {};
