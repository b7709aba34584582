import type { Theme } from "#components/view/themes.ts";
import { duskTable, nightTable } from "#lib/catalog/night.ts";

/** The colour table of a field in a theme. */
export function themedTable<Buffer extends ArrayBufferLike>(
  table: Uint8Array<Buffer>,
  theme: Theme,
): Uint8Array {
  if (theme === "night") return nightTable(table);
  return theme === "dusk" ? duskTable(table) : table;
}
