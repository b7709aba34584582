import { currentArrow, LONGEST, SHORTEST, STEP, waveArrow } from "#lib/symbols/arrow.ts";
import { windBarb } from "#lib/symbols/barb.ts";
import type { Glyph } from "#lib/symbols/glyph.ts";

/** Quantities that have a symbol. */
export type SymbolQuantity = "wind" | "current" | "wave";

/** More feathers than any wind at the surface needs, knots. */
export const STRONGEST = 200;

/** All glyphs of a quantity by name: `barb N 35`, `current 24`, `wave 16`. */
export function glyphsOf(quantity: SymbolQuantity): Map<string, Glyph> {
  const glyphs = new Map<string, Glyph>();
  if (quantity === "wind") {
    for (let knots = 0; knots <= STRONGEST; knots += 5) {
      glyphs.set(`barb N ${knots}`, windBarb(knots, 1));
      glyphs.set(`barb S ${knots}`, windBarb(knots, -1));
    }
    return glyphs;
  }
  const arrow = quantity === "current" ? currentArrow : waveArrow;
  if (quantity === "current") glyphs.set("current 0", currentArrow(0));
  for (let length = SHORTEST; length <= LONGEST; length += STEP) {
    glyphs.set(`${quantity} ${length}`, arrow(length));
  }
  return glyphs;
}
