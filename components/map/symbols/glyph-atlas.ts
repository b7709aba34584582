import {
  currentArrow,
  type Glyph,
  LENGTH_STEP,
  MAX_LENGTH,
  MIN_LENGTH,
  pathText,
  waveArrow,
  windBarb,
} from "#lib/symbols/symbols.ts";

/** Position of a glyph in the atlas, device pixels; the anchor is relative to its corner. */
interface AtlasEntry {
  x: number;
  y: number;
  width: number;
  height: number;
  anchorX: number;
  anchorY: number;
}

/** Stroke width of glyphs, and width of the halo around them, CSS pixels. */
const STROKE = 1.7;
const HALO = 1.5;

/** CSS colours. */
interface GlyphColours {
  ink: string;
  halo: string;
}

/** Glyphs drawn into one image for a texture. */
export interface GlyphAtlas {
  image: ImageData;
  entries: Record<string, AtlasEntry>;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/**
 * Arranges glyphs in rows.
 *
 * @param ratio Device pixels per CSS pixel.
 * @param width Width of the atlas, device pixels.
 */
function packGlyphs(
  glyphs: ReadonlyMap<string, Glyph>,
  ratio: number,
  width: number,
): { entries: Record<string, AtlasEntry>; height: number } {
  const entries: Record<string, AtlasEntry> = {};
  let [x, y, rowHeight] = [0, 0, 0];
  for (const [name, glyph] of glyphs) {
    const margin = STROKE + HALO + 1;
    const points = [...glyph.lines, ...glyph.filled].flat();
    const radius = Math.max(0, ...glyph.rings);
    const reach = (values: number[]) => Math.ceil((Math.max(radius, ...values) + margin) * ratio);
    const left = reach(points.map(([px]) => -px));
    const up = reach(points.map(([, py]) => py));
    const size = {
      width: left + reach(points.map(([px]) => px)),
      height: up + reach(points.map(([, py]) => -py)),
    };
    if (x + size.width > width) {
      x = 0;
      y += rowHeight;
      rowHeight = 0;
    }
    entries[name] = { x, y, ...size, anchorX: left, anchorY: up };
    x += size.width;
    rowHeight = Math.max(rowHeight, size.height);
  }
  return { entries, height: y + rowHeight };
}

const ATLAS_WIDTH = 1024;

/** Draws glyphs with a halo, which makes them legible on every colour of a field. */
export function drawAtlas(
  glyphs: ReadonlyMap<string, Glyph>,
  colours: GlyphColours,
  ratio: number,
): GlyphAtlas {
  const { entries, height } = packGlyphs(glyphs, ratio, ATLAS_WIDTH);
  const canvas = document.createElement("canvas");
  canvas.width = ATLAS_WIDTH;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser gives no canvas to draw symbols on.");
  for (const [name, glyph] of glyphs) {
    const entry = entries[name];
    if (!entry) continue;
    context.setTransform(ratio, 0, 0, -ratio, entry.x + entry.anchorX, entry.y + entry.anchorY);
    drawGlyph(context, glyph, colours);
  }
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  tintTransparent(image);
  return { image, entries, ratio };
}

/** Draws a glyph at the origin of a canvas, with y upwards. */
function drawGlyph(context: CanvasRenderingContext2D, glyph: Glyph, { ink, halo }: GlyphColours): void {
  const path = pathOf(glyph);
  context.lineJoin = "round";
  context.lineCap = "round";
  context.strokeStyle = halo;
  context.fillStyle = halo;
  context.lineWidth = STROKE + 2 * HALO;
  context.stroke(path.lines);
  context.stroke(path.filled);
  context.lineCap = "butt";
  context.strokeStyle = ink;
  context.fillStyle = ink;
  context.lineWidth = STROKE;
  context.stroke(path.lines);
  context.fill(path.filled);
}

function pathOf({ lines, filled, rings }: Glyph): { lines: Path2D; filled: Path2D } {
  const paths = {
    lines: new Path2D(lines.map(pathText).join("")),
    filled: new Path2D(filled.map((points) => `${pathText(points)}Z`).join("")),
  };
  for (const radius of rings) {
    paths.lines.moveTo(radius, 0);
    paths.lines.arc(0, 0, radius, 0, 2 * Math.PI);
  }
  return paths;
}

/**
 * Gives transparent pixels the colour of the adjacent halo; black ones would darken it where the GPU
 * interpolates.
 */
function tintTransparent({ data, width }: ImageData): void {
  const solid = (at: number) => (data[at + 3] ?? 0) > 0;
  for (let pass = 0; pass < 2; pass++) {
    const before = data.slice();
    for (let at = 0; at < data.length; at += 4) {
      if (solid(at) || before[at] || before[at + 1] || before[at + 2]) continue;
      for (const neighbour of [at - 4, at + 4, at - 4 * width, at + 4 * width]) {
        const coloured = (before[neighbour + 3] ?? 0) > 0 || before[neighbour] || before[neighbour + 1];
        if (!coloured) continue;
        data.copyWithin(at, neighbour, neighbour + 3);
        data[at + 3] = 0;
        break;
      }
    }
  }
}

export type SymbolQuantity = "wind" | "current" | "wave";

/** Strongest barb, knots; no surface wind exceeds it. */
export const MAX_BARB = 200;

/** All glyphs of a quantity by name: `barb N 35`, `current 24`, `wave 16`. */
export function glyphsOf(quantity: SymbolQuantity): Map<string, Glyph> {
  const glyphs = new Map<string, Glyph>();
  if (quantity === "wind") {
    for (let knots = 0; knots <= MAX_BARB; knots += 5) {
      glyphs.set(`barb N ${knots}`, windBarb(knots, 1));
      glyphs.set(`barb S ${knots}`, windBarb(knots, -1));
    }
    return glyphs;
  }
  const arrow = quantity === "current" ? currentArrow : waveArrow;
  if (quantity === "current") glyphs.set("current 0", currentArrow(0));
  for (let length = MIN_LENGTH; length <= MAX_LENGTH; length += LENGTH_STEP) {
    glyphs.set(`${quantity} ${length}`, arrow(length));
  }
  return glyphs;
}
