/**
 * Fonts of labels: without a glyph server MapLibre draws with those of the page. Our typeface only where the page has it
 * (components/screen/typeface.ts): else the map would load it.
 */
export const labelFont =
  typeof document === "undefined" || "typeface" in document.documentElement.dataset
    ? ["Inter Variable", "sans-serif"]
    : ["sans-serif"];
