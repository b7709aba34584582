import type { Bulletin } from "./bulletin.ts";

const basins: Record<string, string> = {
  AL: "north_atlantic",
  EP: "east_pacific",
  CP: "central_pacific",
  WP: "west_pacific",
  IO: "north_indian",
  SL: "south_atlantic",
};

/** Where the South Indian and the South Pacific meet, degrees east. */
const AUSTRALIA_EAST = 135;

/**
 * Name of a storm's basin. By its id, not by where it is: a storm that crosses 180° keeps the number it was given. The
 * south has one prefix for two oceans: there the subregion says which, or else where the storm was first seen.
 */
export function basinOf({ basin, subregion, observed, forecast }: Bulletin): string {
  if (basin !== "SH") return basins[basin]!;
  if (subregion === "S") return "south_indian";
  if (subregion === "P") return "south_pacific";
  const longitude = (observed[0] ?? forecast?.points[0])?.longitude ?? 0;
  return longitude >= 0 && longitude < AUSTRALIA_EAST ? "south_indian" : "south_pacific";
}

/** `WP012026`. */
export function stormId({ basin, number, season }: Pick<Bulletin, "basin" | "number" | "season">): string {
  return `${basin}${String(number).padStart(2, "0")}${season}`;
}

const letters: Record<string, string> = { AL: "L", EP: "E", CP: "C", WP: "W", IO: "A", SH: "S", SL: "Q" };

/**
 * What a storm is called: its name; `INVEST` or its designator (`25W`) at jtwc while it has none; null at jma.
 */
export function stormName({ provider, name, isInvest, number, basin, subregion }: Bulletin): string | null {
  if (name !== null || provider === "jma") return name;
  return isInvest ? "INVEST" : `${String(number).padStart(2, "0")}${subregion ?? letters[basin]}`;
}
