/** A point of a glyph: CSS pixels right and up of the place that the glyph stands for. */
export type GlyphPoint = readonly [x: number, y: number];

/**
 * A symbol as geometry, drawn pointing up; it is turned to its bearing when it is placed.
 *
 * The map draws it into its atlas, the legend as SVG, and tests measure it.
 */
export interface Glyph {
  lines: readonly (readonly GlyphPoint[])[];
  /** Closed and filled. */
  filled: readonly (readonly GlyphPoint[])[];
  /** Open circles round the place: their radii. */
  rings: readonly number[];
}

/** Where a point of a glyph lies on a map with north up, once the glyph points along a bearing. */
export function turned([x, y]: GlyphPoint, bearing: number): GlyphPoint {
  const angle = (bearing * Math.PI) / 180;
  return [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
}
