import type { Place } from "#lib/geo/sphere.ts";
import { foldName } from "./fold-name.ts";

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
