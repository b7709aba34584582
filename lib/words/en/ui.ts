export const ui = {};

export type UiWords = typeof ui;
