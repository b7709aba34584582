import type { MultiPolygon } from "geojson";

/** Height of a band of latitude, degrees. */
const BAND = 0.5;
const BANDS = 180 / BAND;

/** Whether a place is on land: latitude and longitude (−180..180), degrees. */
export type OnLand = (latitude: number, longitude: number) => boolean;

/**
 * Edges of the outline grouped by bands of latitude, for `landIndex`: four numbers each, longitude and
 * latitude of both ends.
 *
 * @param land Polygons cut at the antimeridian, longitudes −180..180.
 */
export function landEdges(land: MultiPolygon): Float64Array<ArrayBuffer>[] {
  const bands: number[][] = Array.from({ length: BANDS }, () => []);
  for (const ring of land.coordinates.flat()) {
    for (let index = 1; index < ring.length; index++) {
      const [x0 = 0, y0 = 0] = ring[index - 1] ?? [];
      const [x1 = 0, y1 = 0] = ring[index] ?? [];
      if (y0 === y1) continue;
      for (let band = bandOf(Math.min(y0, y1)); band <= bandOf(Math.max(y0, y1)); band++) {
        bands[band]?.push(x0, y0, x1, y1);
      }
    }
  }
  return bands.map((band) => Float64Array.from(band));
}

/**
 * Point-in-polygon test by the even-odd rule: counts the edges in the place's band of latitude that lie east
 * of it.
 */
export function landIndex(edges: readonly Float64Array[]): OnLand {
  return (latitude, longitude) => {
    const band = edges[bandOf(latitude)];
    if (!band) return false;
    let inside = false;
    for (let at = 0; at < band.length; at += 4) {
      const [x0, y0, x1, y1] = [band[at]!, band[at + 1]!, band[at + 2]!, band[at + 3]!];
      if (y0 > latitude === y1 > latitude) continue;
      if (x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0) > longitude) inside = !inside;
    }
    return inside;
  };
}

function bandOf(latitude: number): number {
  return Math.min(BANDS - 1, Math.max(0, Math.floor((latitude + 90) / BAND)));
}
