/**
 * Fonts of labels: without a glyph server MapLibre uses fonts of the page. This service's typeface is used
 * only if the page has it (components/screen/typeface.ts), because the map would otherwise load it.
 */
export const labelFont =
  typeof document === "undefined" || "typeface" in document.documentElement.dataset
    ? ["Inter Variable", "sans-serif"]
    : ["sans-serif"];

/** Width of the line of the coast, CSS pixels. */
export const COAST_WIDTH = 0.8;
