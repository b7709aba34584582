import type { Theme } from "./themes.ts";
import { type ColourScale, colourTable } from "#lib/catalog/colours.ts";
import { duskTable, nightTable } from "#lib/catalog/night.ts";

/** The colour table of a field in a theme. */
export function themedTable(scale: ColourScale, theme: Theme): Uint8Array<ArrayBuffer> {
  const table = colourTable(scale);
  if (theme === "night") return nightTable(table, scale.lightByNight);
  return theme === "dusk" ? duskTable(table) : table;
}
