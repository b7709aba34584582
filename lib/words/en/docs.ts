export const docs = {};

export type DocsWords = typeof docs;
