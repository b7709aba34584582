import type { Bulletin } from "./bulletin.ts";

const basins: Record<string, string> = {
  AL: "north_atlantic",
  EP: "east_pacific",
  CP: "central_pacific",
  WP: "west_pacific",
  IO: "north_indian",
  SL: "south_atlantic",
};

/** Boundary of South Indian and South Pacific, degrees east. */
const AUSTRALIA_EAST = 135;

/**
 * Name of a storm's basin, by its id and not by its position: a storm that crosses 180° keeps its number. The prefix SH is
 * shared by two oceans, distinguished by the subregion or else by the first position.
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
 * Display name of a storm. Without a name it is `INVEST` or its designator (`25W`) for jtwc, and null for jma.
 */
export function stormName({ provider, name, isInvest, number, basin, subregion }: Bulletin): string | null {
  if (name !== null || provider === "jma") return name;
  return isInvest ? "INVEST" : `${String(number).padStart(2, "0")}${subregion ?? letters[basin]}`;
}
