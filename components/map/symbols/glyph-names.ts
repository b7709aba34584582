import { currentArrow, LENGTH_STEP, MAX_LENGTH, MIN_LENGTH, waveArrow } from "#lib/symbols/arrow.ts";
import { windBarb } from "#lib/symbols/barb.ts";
import type { Glyph } from "#lib/symbols/glyph.ts";

/** Quantities that have a symbol. */
export type SymbolQuantity = "wind" | "current" | "wave";

/** Strongest barb, knots: beyond any surface wind. */
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
