import { readFileSync } from "node:fs";
import type { Place } from "@open-metocean/geo/sphere";
import type { PlaceBounds } from "#lib/places/gazetteer.ts";

/** A place that is not in any free table that we use. */
export interface PlaceByHand extends Place {
  /**
   * The map shows oceans, seas, ports and capes; the gazetteer also has waters, small capes, small ports and islands.
   */
  kind: "ocean" | "sea" | "water" | "port" | "cape" | "small cape" | "small port" | "island";
  /** The name, then other names, such as those in other languages. */
  names: readonly [string, ...string[]];
  /** Empty where it follows from the nearest town. */
  country: string;
  /** Bounds of a body of water. East may be beyond 180. */
  bounds?: PlaceBounds;
}

/**
 * The table scripts/places.tsv. Positions are accurate to about a tenth of a degree. They say where a name is placed,
 * not where a ship may go; those of waters are in open water. Bounds are south, west, north and east.
 */
export const placesByHand = readFileSync(new URL("places.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line): PlaceByHand => {
    const [kind, names, country = "", latitude, longitude, edges] = line.split("\t");
    const [south = 0, west = 0, north = 0, east = 0] = (edges ?? "").split(" ").map(Number);
    return {
      kind: kind as PlaceByHand["kind"],
      names: names!.split("|") as [string],
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      ...(edges && { bounds: { south, west, north, east } }),
    };
  });
