import type { ViewBox } from "@open-metocean/geo/box";
import { type Box, boxOfView, discBox } from "@open-metocean/geo/box";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Target } from "./place-suggestions.ts";

export const sides = ["north", "south", "west", "east"] as const;

/** The edges of a box as they are typed, degrees. */
export type Edges = Record<(typeof sides)[number], string>;

/** Half the size of the box around a place without an extent of its own, nautical miles. */
const AROUND_MILES = 60;

/** The edges of a box in the form in which they are typed, in tenths of a degree, rounded outward. */
export function edgesOf(box: ViewBox | undefined): Edges {
  if (!box) return { north: "", south: "", west: "", east: "" };
  const round = (value: number, by: (value: number) => number) => by(Number((value * 10).toFixed(3))) / 10;
  const { south, north, west, east } = boxOfView({
    south: round(box.south, Math.floor),
    north: round(box.north, Math.ceil),
    west: round(box.west, Math.floor),
    east: round(box.east, Math.ceil),
  });
  const text = (value: number) => String(Number(value.toFixed(1)) + 0);
  return { north: text(north), south: text(south), west: text(west), east: text(east) };
}

/** The box of a place that was found: its own for a sea, otherwise its surroundings. */
export function edgesAround({ place, bounds }: Target): Edges {
  if (bounds) return edgesOf(bounds);
  const { west, east, ...latitudes } = discBox(place, AROUND_MILES * MILE_KM);
  return edgesOf({ ...latitudes, west, east: east < west ? east + 360 : east });
}

/** The wrong pair of typed edges; undefined if the edges form a box. */
export function wrongEdges(edges: Edges): "latitudes" | "longitudes" | undefined {
  const { south, north, west, east } = numbersOf(edges);
  if (!(Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north)) return "latitudes";
  if (!(Math.abs(west) <= 180 && Math.abs(east) <= 180)) return "longitudes";
  return undefined;
}

/** The box of typed edges; undefined if they do not form one. */
export function boxOfEdges(edges: Edges): Box | undefined {
  return wrongEdges(edges) ? undefined : numbersOf(edges);
}

/** The edges as numbers, NaN where one cannot be read. */
export function numbersOf(edges: Edges): Box {
  return Object.fromEntries(sides.map((side) => [side, readTypedDecimal(edges[side])])) as unknown as Box;
}
