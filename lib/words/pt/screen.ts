import type { ScreenWords } from "../en/screen.ts";

export const screen: ScreenWords = {
  language: "Idioma",
};
