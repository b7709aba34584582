import { DEGREE_KM, dot, RADIANS, vectorOf } from "@open-metocean/geo/sphere";
import { NEAR_STREAM_KM } from "#lib/contract/point.ts";

/** Tidal stream stations as columns, in degrees. */
interface StreamPlaces {
  id: readonly string[];
  latitude: readonly number[];
  longitude: readonly number[];
}

const NEAR_DEGREES = NEAR_STREAM_KM / DEGREE_KM;

/** Size of a cell of the index, degrees; a row of cells goes around the Earth. */
const CELL = 0.25;
const COLUMNS = 360 / CELL;

const rowOf = (latitude: number) => Math.floor((latitude + 90) / CELL);
const columnOf = (longitude: number) => Math.floor((longitude + 180) / CELL);
const cellOf = (row: number, column: number) => row * COLUMNS + ((column + COLUMNS) % COLUMNS);

/**
 * Builds a function that finds the station nearest to a place. 10,000 places in the bay with most stations
 * take 2 ms.
 *
 * @returns A function of a place that returns the station's id; undefined if none is near.
 */
export function streamFinder({ id, latitude, longitude }: StreamPlaces) {
  const vectors = id.map((_, at) => vectorOf({ latitude: latitude[at]!, longitude: longitude[at]! }));
  /** For each cell, the stations that may be near a place in it. */
  const cells = new Map<number, number[]>();
  for (const [station, north] of latitude.entries()) {
    const east = longitude[station]!;
    const wide = NEAR_DEGREES / Math.cos((Math.abs(north) + NEAR_DEGREES) * RADIANS);
    for (let row = rowOf(north - NEAR_DEGREES); row <= rowOf(north + NEAR_DEGREES); row++)
      for (let column = columnOf(east - wide); column <= columnOf(east + wide); column++) {
        const cell = cellOf(row, column);
        cells.set(cell, [...(cells.get(cell) ?? []), station]);
      }
  }
  const least = Math.cos(NEAR_DEGREES * RADIANS);
  return (north: number, east: number): string | undefined => {
    const listed = cells.get(cellOf(rowOf(north), columnOf(east)));
    if (!listed) return undefined;
    const place = vectorOf({ latitude: north, longitude: east });
    let nearest: string | undefined;
    let most = least;
    for (const station of listed) {
      const cosine = dot(place, vectors[station]!);
      if (cosine < most) continue;
      nearest = id[station];
      most = cosine;
    }
    return nearest;
  };
}
