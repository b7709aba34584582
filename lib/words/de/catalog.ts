import type { CatalogWords } from "../en/catalog.ts";

export const catalog: CatalogWords = {};
