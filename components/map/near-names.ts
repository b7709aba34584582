import type { FeatureCollection, Point } from "geojson";
import { readPlaces } from "#components/fields/read-places.ts";
import type { Language } from "#lib/messages/language.ts";
import type { NamedPlace } from "#lib/places/gazetteer.ts";

/** Reads the names that the map shows near a coast, beside those of its own file. */
export async function readNearNames(language: Language): Promise<FeatureCollection<Point>> {
  return nearNames(await readPlaces(language));
}

/** Places of rank 0 and 1 are in the map's own file of names (scripts/build-basemap.ts). */
const FIRST_RANK = 2;

/** Zooms from which places of the first rank and of the following ones are named; the last is that of all others. */
const ZOOMS = [6, 7, 8, 9] as const;

/** Harbours, towns, capes, islands and small waters as points with `name`, `kind`, `rank` and lowest zoom `z`. */
export function nearNames(places: readonly NamedPlace[]): FeatureCollection<Point> {
  return {
    type: "FeatureCollection",
    features: places
      .filter(({ rank }) => rank >= FIRST_RANK)
      .map(({ name, kind, rank, latitude, longitude }) => ({
        type: "Feature",
        properties: {
          name,
          kind: kind === "sea" ? "water" : "town",
          rank,
          z: ZOOMS[rank - FIRST_RANK] ?? ZOOMS.at(-1),
        },
        geometry: { type: "Point", coordinates: [longitude, latitude] },
      })),
  };
}
