import type { MultiLineString, MultiPolygon, Position } from "geojson";
import type { MapColours } from "#components/view-state/map-colours.ts";

/**
 * Coastlines of land polygons, without the edges along the antimeridian and the south pole, where the polygons are cut.
 */
export function coastOf(land: MultiPolygon): MultiLineString {
  return {
    type: "MultiLineString",
    coordinates: land.coordinates.flat().flatMap((ring) => linesOf(ring, isCut)),
  };
}

/** A ring as lines, without the edges where it was cut. */
export function linesOf(
  ring: readonly Position[],
  isCut: (one: Position, other: Position) => boolean,
): Position[][] {
  const coordinates: Position[][] = [];
  let line: Position[] = [];
  ring.forEach((point, index) => {
    const last = ring[index - 1];
    const cut = last && isCut(last, point);
    if (cut || (last && line.length === MAX_POINTS)) {
      if (line.length > 1) coordinates.push(line);
      line = cut ? [] : [last];
    }
    line.push(point);
  });
  if (line.length > 1) coordinates.push(line);
  return coordinates;
}

/** MapLibre draws at most 65,535 vertices per line, up to ten per point, and adds points on the globe. */
const MAX_POINTS = 2000;

const CUT_AT = 179.99;

function isCut([x0 = 0, y0 = 0]: Position, [x1 = 0, y1 = 0]: Position): boolean {
  return (Math.abs(x0) >= CUT_AT && Math.abs(x1) >= CUT_AT) || (y0 <= -89.9 && y1 <= -89.9);
}

/**
 * Colour of the coast. @param below The land lies below coloured fields, with which its own coast colour
 * would blend.
 */
export function coastColour({ ink, coast }: MapColours, below: boolean): string {
  return below ? ink : coast;
}

/**
 * Fonts of labels: without a glyph server MapLibre uses fonts of the page. This service's typeface is used
 * only if the page has it (components/screen/typeface.ts), because the map would otherwise load it.
 */
export const labelFont =
  typeof document === "undefined" || "typeface" in document.documentElement.dataset
    ? ["Inter Variable", "sans-serif"]
    : ["sans-serif"];
