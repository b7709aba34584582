import type { MapColours } from "#components/view-state/map-colours.ts";

/**
 * Colour of the coast. @param below The land lies below coloured fields, with which its own coast colour
 * would blend.
 */
export function coastColour({ ink, coast }: MapColours, below: boolean): string {
  return below ? ink : coast;
}

/**
 * Fonts of labels: without a glyph server MapLibre uses fonts of the page. This service's typeface is used
 * only if the page has it (components/screen/typeface.ts), because the map would otherwise load it.
 */
export const labelFont =
  typeof document === "undefined" || "typeface" in document.documentElement.dataset
    ? ["Inter Variable", "sans-serif"]
    : ["sans-serif"];
