import { distanceKm, type Place } from "#lib/geo/sphere.ts";
import { foldName } from "./fold-name.ts";
import type { NamedPlace } from "./gazetteer.ts";

/** What a name that only begins so costs, in ranks. */
const BEGINS = 1;
/** What a match at an inner word costs. */
const INNER_WORD = 2.5;
/** What another name than the one on the map costs. */
const OTHER_NAME = 0.75;
/** What each doubling of the distance beyond the first costs. */
const FARTHER = 0.8;
const NEAR_KM = 500;

export interface FoundPlace {
  place: NamedPlace;
  /** The other name that was matched, and not the name itself. */
  other?: string;
}

/**
 * The places whose name, or a word of it, begins with the text: the more important and the nearer to the view, the earlier.
 * Case and accents do not matter.
 *
 * @param near Centre of the view.
 */
export function searchPlaces(
  places: readonly NamedPlace[],
  text: string,
  near: Place,
  limit: number,
): FoundPlace[] {
  const folded = foldName(text);
  if (folded === "") return [];
  // Who has written all of Saint does not look for Stockholm.
  const wanted = folded === "st" && text.trim().length > 3 ? "st " : folded;
  const inner = ` ${wanted}`;
  const found: { place: NamedPlace; cost: number; name: number }[] = [];
  for (const place of places) {
    const match = matchOf(place.folded, wanted, inner);
    if (!match) continue;
    const far = Math.log2(1 + distanceKm(near, place) / NEAR_KM);
    found.push({ place, cost: match.cost + place.rank + FARTHER * far, name: match.name });
  }
  found.sort((one, other) => one.cost - other.cost || one.place.name.localeCompare(other.place.name, "en"));
  return found.slice(0, limit).map(({ place, name }) => {
    const other = place.others[name - 1];
    return other === undefined ? { place } : { place, other };
  });
}

/** The best match, and which of the names it is. */
function matchOf(names: readonly string[], wanted: string, inner: string) {
  let best: { cost: number; name: number } | undefined;
  for (const [index, name] of names.entries()) {
    const found =
      name === wanted ? 0 : name.startsWith(wanted) ? BEGINS : name.includes(inner) ? INNER_WORD : undefined;
    if (found === undefined) continue;
    const cost = found + (index > 0 ? OTHER_NAME : 0);
    if (!best || cost < best.cost) best = { cost, name: index };
  }
  return best;
}
