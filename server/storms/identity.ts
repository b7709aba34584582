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

/** Whether two bulletins are of one storm: the same code or id, now or before. */
export function isSameId(one: Bulletin, other: Bulletin): boolean {
  if (one.code !== undefined && other.code !== undefined) return one.code === other.code;
  const ids = new Set(idsOf(one));
  return idsOf(other).some((id) => ids.has(id));
}

/** All ids of a storm, the present one first. Those of invests are reused: only the present one counts. */
function idsOf(bulletin: Bulletin): string[] {
  return [stormId(bulletin), ...(bulletin.aliases ?? []).filter((id) => !/^..9/.test(id))];
}

/** Other ids than the storm's own, sorted; undefined if there is none. */
export function aliasesOf(own: string, ids: Iterable<string>): string[] | undefined {
  const others = [...new Set(ids)].filter((id) => id !== own).sort();
  return others.length > 0 ? others : undefined;
}
