import { NEAR_STREAM_KM } from "#lib/contract/point.ts";
import { DEGREE_KM, dot, RADIANS, vectorOf } from "#lib/geo/sphere.ts";

/** Stations of tidal streams, in columns, degrees. */
interface StreamPlaces {
  id: readonly string[];
  latitude: readonly number[];
  longitude: readonly number[];
}

const NEAR_DEGREES = NEAR_STREAM_KM / DEGREE_KM;

/** Of a cell of the index, degrees; a row of them goes around the earth. */
const CELL = 0.25;
const COLUMNS = 360 / CELL;

const rowOf = (latitude: number) => Math.floor((latitude + 90) / CELL);
const columnOf = (longitude: number) => Math.floor((longitude + 180) / CELL);
const cellOf = (row: number, column: number) => row * COLUMNS + ((column + COLUMNS) % COLUMNS);

/**
 * Finds the station nearest to a place: 10,000 places of the densest bay in 2 ms.
 *
 * @returns Of a function of a place its id; undefined where none is near.
 */
export function streamFinder({ id, latitude, longitude }: StreamPlaces) {
  const vectors = id.map((_, at) => vectorOf({ latitude: latitude[at]!, longitude: longitude[at]! }));
  /** Stations that may be near a place in a cell. */
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
