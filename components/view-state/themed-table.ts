import { type ColourScale, colourTable } from "#lib/catalog/colours.ts";
import { duskTable, greyTable, nightTable } from "#lib/catalog/night.ts";
import type { Theme } from "./themes.ts";

/** Colour table of a field in a theme. @param old The field is of another time than the one wanted. */
export function themedTable(scale: ColourScale, theme: Theme, old = false): Uint8Array<ArrayBuffer> {
  const table = colourTable(scale);
  // Grey has blue in it, which eyes used to the dark must not see: at night an old field is dimmed.
  if (theme === "night") {
    const red = nightTable(table, scale.lightByNight);
    return old ? duskTable(red) : red;
  }
  const shown = old ? greyTable(table) : table;
  return theme === "dusk" ? duskTable(shown) : shown;
}
