/** `north_atlantic` → `North Atlantic`. */
export function basinTitle(basin: string): string {
  return basin
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
