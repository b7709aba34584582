import { distanceKm, type Place } from "@open-metocean/geo/sphere";

/**
 * Kinds of places, in the order of the file. Waters have bounds and a point at sea; other places lie on land
 * or a coast.
 */
export const placeKinds = ["ocean", "sea", "cape", "island", "port", "town"] as const;

export type PlaceKind = (typeof placeKinds)[number];

/** Edges in degrees; `east` is at least `west` and may be beyond 180. */
export interface PlaceBounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

export interface NamedPlace extends Place {
  name: string;
  kind: PlaceKind;
  /** ISO 3166-1 alpha-2 code; empty for waters. */
  country: string;
  /** Importance; 0 is the most important. */
  rank: number;
  /** Bounds of waters; absent for other places. */
  bounds?: PlaceBounds;
  /** Names in other languages, and alternative names. */
  others: readonly string[];
  /** `name` and `others` in the form that a search compares. */
  folded: readonly string[];
}

/**
 * `public/basemap/places.json`: the columns of a table with one line per place, a form that compresses well.
 */
export interface GazetteerFile {
  /** Sources of the names, for people who read the file. */
  sources: readonly string[];
  /** First line of each kind, in the order of `placeKinds`. */
  starts: readonly number[];
  /** One line per place: a name, and other names after `|`. */
  names: string;
  /** Two letters per place, without a separator; two spaces for waters. */
  countries: string;
  /** One digit per place. */
  ranks: string;
  /** Degrees north and east in hundredths. */
  latitudes: readonly number[];
  longitudes: readonly number[];
  /** Bounds of the first places, which are waters: south, west, north, east, degrees. */
  bounds: readonly (readonly [number, number, number, number])[];
}

/** Names of places in one language, by their names in the gazetteer (public/basemap/place-names-….json). */
export type PlaceNames = Readonly<Record<string, string>>;

/** @param names Names in the language of the page. Places without one keep the name that the gazetteer has. */
export function placesOfFile(file: GazetteerFile, names: PlaceNames = {}): NamedPlace[] {
  const lines = file.names.split("\n").map((line) => line.split("|"));
  const translated = linesOfNames(lines, file.ranks, names);
  return lines.map(([own = "", ...more], index) => {
    const name = translated.get(index) ?? own;
    const others = name === own ? more : [own, ...more].filter((other) => other !== name);
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

/**
 * Translated names by the line of their place. Of places with the same name the most important one is meant: Alexandria is
 * Alexandrie in Egypt, and not in Virginia.
 */
function linesOfNames(
  lines: readonly (readonly string[])[],
  ranks: string,
  names: PlaceNames,
): Map<number, string> {
  const meant = new Map<string, number>();
  for (const [index, [own = ""]] of lines.entries()) {
    if (!Object.hasOwn(names, own)) continue;
    const other = meant.get(own);
    if (other === undefined || Number(ranks[index]) < Number(ranks[other])) meant.set(own, index);
  }
  return new Map([...meant].map(([own, index]) => [index, names[own] ?? own]));
}

/** Cost, in ranks, of a name that only begins with the text. */
const BEGINS = 1;
/** Cost of a match at the beginning of an inner word. */
const INNER_WORD = 2.5;
/** Cost of matching a name other than the one on the map. */
const OTHER_NAME = 0.75;
/** Cost of each doubling of the distance beyond the first. */
const FARTHER = 0.8;
const NEAR_KM = 500;

export interface FoundPlace {
  place: NamedPlace;
  /** Sort key, ascending: see `searchCost`. */
  cost: number;
  /** The matched name, if it is not the name itself. */
  other?: string;
}

/**
 * Finds places whose name, or a word of it, begins with the text. More important places, and those nearer to
 * the view, come first. Case and accents do not matter.
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
 * Cost by which a place of another list sorts among the results of `searchPlaces`; undefined if none of its
 * names, or words of them, begins with the text.
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
  // A person who has typed all of Saint is not looking for Stockholm.
  return folded === "st" && text.trim().length > 3 ? "st " : folded;
}

/** Farther places do not describe a position, km. */
const NEAR_ENOUGH_KM = 1100;
/** How much farther away a place may be to win over a less important one, km per rank. */
const KM_A_RANK = 8;

/** The named place on land that best describes a position; undefined if all are too far away. */
export function nearestPlace(places: readonly NamedPlace[], position: Place): NamedPlace | undefined {
  let best: { place: NamedPlace; cost: number } | undefined;
  for (const place of places) {
    // A degree of latitude is 111 km, so most places are excluded by this cheap test.
    if (place.bounds || Math.abs(place.latitude - position.latitude) > NEAR_ENOUGH_KM / 111) continue;
    const km = distanceKm(position, place);
    const cost = km + KM_A_RANK * place.rank;
    if (km <= NEAR_ENOUGH_KM && (!best || cost < best.cost)) best = { place, cost };
  }
  return best?.place;
}

/** The best match, and which of the names matched. */
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

/**
 * A name in the form that a search compares: lower case, without accents, apostrophes and hyphens; `Saint`
 * becomes `st`.
 */
export function foldName(name: string): string {
  const lower = name.toLowerCase();
  // This shortcut covers most names; a page folds thousands at once.
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
