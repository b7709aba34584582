export const catalog = {};

export type CatalogWords = typeof catalog;
