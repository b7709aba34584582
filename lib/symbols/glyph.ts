/** A point of a glyph: CSS pixels right and up of its place. */
export type GlyphPoint = readonly [x: number, y: number];

/**
 * A symbol as geometry, drawn pointing up; it is rotated to its bearing when it is placed.
 *
 * The map draws it into its atlas, the legend as SVG, and tests measure it.
 */
export interface Glyph {
  lines: readonly (readonly GlyphPoint[])[];
  /** Closed and filled. */
  filled: readonly (readonly GlyphPoint[])[];
  /** Radii of open circles around the place. */
  rings: readonly number[];
}

/** SVG path through points. */
export function pathText(points: readonly GlyphPoint[]): string {
  return `M${points.map((point) => point.join(" ")).join("L")}`;
}

/** SVG paths of a glyph, whose y goes downwards: its strokes, and what is filled. */
export function svgPaths({ lines, filled }: Pick<Glyph, "lines" | "filled">): {
  strokes: string;
  filled: string;
} {
  const down = (points: readonly GlyphPoint[]) => pathText(points.map(([x, y]) => [x, -y]));
  return { strokes: lines.map(down).join(""), filled: filled.map((points) => `${down(points)}Z`).join("") };
}

/** A point of a glyph, rotated so that the glyph points along a bearing on a map with north up. */
export function turned([x, y]: GlyphPoint, bearing: number): GlyphPoint {
  const angle = (bearing * Math.PI) / 180;
  return [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
}
