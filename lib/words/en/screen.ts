export const screen = {
  language: "Language",
};

export type ScreenWords = typeof screen;
