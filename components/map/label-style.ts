/**
 * Fonts of labels: without a glyph server MapLibre draws with those of the page. Our typeface only where the page has it
 * (components/screen/typeface.ts): else the map would load it.
 */
export const labelFont =
  typeof document === "undefined" || "typeface" in document.documentElement.dataset
    ? ["Inter Variable", "sans-serif"]
    : ["sans-serif"];

/** Names on the map: size and letter spacing (of the size), and after how many times the size a line ends. */
export const nameKinds = [
  { kind: "ocean", size: 15, spacing: 0.2, width: 8 },
  { kind: "sea", size: 12, spacing: 0.1, width: 7 },
  { kind: "country", size: 12, spacing: 0.05, width: 8 },
  { kind: "port", size: 11, spacing: 0, width: 8 },
  { kind: "cape", size: 11, spacing: 0, width: 8 },
] as const;
