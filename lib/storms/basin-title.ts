import type { Words } from "#lib/words/en.ts";

/** `north_atlantic` → `North Atlantic`. */
export function basinTitle(basin: string, { storms }: Words): string {
  const titles: Readonly<Record<string, string>> = storms.basins;
  if (Object.hasOwn(titles, basin)) return titles[basin]!;
  return basin
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
