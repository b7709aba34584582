import { distanceKm, type Place } from "#lib/geo/sphere.ts";

/** Kinds of places, in the order of the file. Waters have bounds and a point at sea; the others lie on land or a coast. */
export const placeKinds = ["ocean", "sea", "cape", "island", "port", "town"] as const;

export type PlaceKind = (typeof placeKinds)[number];

/** Degrees; east is at least west and may be beyond 180. */
export interface PlaceBounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

export interface NamedPlace extends Place {
  name: string;
  kind: PlaceKind;
  /** ISO 3166-1 alpha-2; empty for waters. */
  country: string;
  /** 0 is the most important. */
  rank: number;
  /** Of waters. */
  bounds?: PlaceBounds;
  /** In other languages, or other names. */
  others: readonly string[];
  /** The name and the others, in the form that a search compares. */
  folded: readonly string[];
}

/** `public/basemap/places.json`: the columns of a table, one line a place, which compresses best. */
export interface GazetteerFile {
  /** Where the names come from, for people who read the file. */
  sources: readonly string[];
  /** First line of each kind; see `placeKinds`. */
  starts: readonly number[];
  /** A name, and other names after `|`. */
  names: string;
  /** Two letters a place, without a separator; two spaces for waters. */
  countries: string;
  /** One digit a place. */
  ranks: string;
  /** Hundredths of a degree. */
  latitudes: readonly number[];
  longitudes: readonly number[];
  /** Of the first places, which are waters: south, west, north, east, degrees. */
  bounds: readonly (readonly [number, number, number, number])[];
}

/** The places of the file. */
export function placesOfFile(file: GazetteerFile): NamedPlace[] {
  return file.names.split("\n").map((line, index) => {
    const [name = "", ...others] = line.split("|");
    const kind = placeKinds[file.starts.findLastIndex((start) => start <= index)] ?? "town";
    const [south, west, north, east] = file.bounds[index] ?? [];
    const bounded =
      south !== undefined && west !== undefined && north !== undefined && east !== undefined
        ? { bounds: { south, west, north, east } }
        : {};
    return {
      name,
      kind,
      country: file.countries.slice(2 * index, 2 * index + 2).trim(),
      rank: Number(file.ranks[index]),
      latitude: (file.latitudes[index] ?? 0) / 100,
      longitude: (file.longitudes[index] ?? 0) / 100,
      ...bounded,
      others,
      folded: [name, ...others].map(foldName),
    };
  });
}

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
  /** The lowest comes first: see `searchCost`. */
  cost: number;
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
  const wanted = wantedOf(text);
  const found: { place: NamedPlace; cost: number; name: number }[] = [];
  for (const place of places) {
    const match = matchOf(place.folded, wanted);
    if (match) found.push({ place, cost: rankedCost(place, match.cost, near), name: match.name });
  }
  found.sort((one, other) => one.cost - other.cost || one.place.name.localeCompare(other.place.name, "en"));
  return found.slice(0, limit).map(({ place, cost, name }) => {
    const other = place.others[name - 1];
    return other === undefined ? { place, cost } : { place, cost, other };
  });
}

type Ranked = Pick<NamedPlace, "folded" | "rank"> & Place;

/**
 * How far down a place of another list stands among those that `searchPlaces` finds; undefined where the text is no beginning
 * of its names.
 */
export function searchCost(place: Ranked, text: string, near: Place): number | undefined {
  const match = matchOf(place.folded, wantedOf(text));
  return match && rankedCost(place, match.cost, near);
}

function rankedCost(place: Pick<NamedPlace, "rank"> & Place, match: number, near: Place): number {
  return match + place.rank + FARTHER * Math.log2(1 + distanceKm(near, place) / NEAR_KM);
}

function wantedOf(text: string): string {
  const folded = foldName(text);
  // Who has written all of Saint does not look for Stockholm.
  return folded === "st" && text.trim().length > 3 ? "st " : folded;
}

/** Farther places say nothing about a position, km. */
const NEAR_ENOUGH_KM = 1100;
/** How much farther a place may be than a less important one, km a rank. */
const KM_A_RANK = 8;

/** The named place ashore that a position is best described by; undefined far from all. */
export function nearestPlace(places: readonly NamedPlace[], at: Place): NamedPlace | undefined {
  let best: { place: NamedPlace; cost: number } | undefined;
  for (const place of places) {
    // A degree of latitude is 111 km: most places are out of reach at a glance.
    if (place.bounds || Math.abs(place.latitude - at.latitude) > NEAR_ENOUGH_KM / 111) continue;
    const km = distanceKm(at, place);
    const cost = km + KM_A_RANK * place.rank;
    if (km <= NEAR_ENOUGH_KM && (!best || cost < best.cost)) best = { place, cost };
  }
  return best?.place;
}

/** The best match, and which of the names it is. */
function matchOf(names: readonly string[], wanted: string) {
  if (wanted === "") return undefined;
  const inner = ` ${wanted}`;
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

const LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  œ: "oe",
  æ: "ae",
  ß: "ss",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** A name as a search compares it: lower case, without accents, apostrophes and hyphens; `Saint` is `st`. */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  // Most names: a page folds thousands at once.
  if (/^[a-z]+(?: [a-z]+)*$/.test(lower) && !lower.includes("sa")) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[øœæßłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’ʻ`.]/g, "")
    .replace(/[\s\-–/,()]+/g, " ")
    .trim()
    .replace(/\b(?:saint|sankt)\b/g, "st")
    .replace(/\bsainte\b/g, "ste");
}
