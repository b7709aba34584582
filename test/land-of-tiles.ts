import { open } from "node:fs/promises";
import { VectorTile } from "@mapbox/vector-tile";
import type { Place } from "@open-metocean/geo/sphere";
import type { Position } from "geojson";
import { PbfReader } from "pbf";
import { PMTiles } from "pmtiles";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { LAND_LAYER, LAND_ZOOM, mercatorX, mercatorY } from "#lib/places/land-tile.ts";

/** South, north, west and east, degrees; east may be beyond 180. */
export type Region = readonly [south: number, north: number, west: number, east: number];

/** Degrees around a region in which tiles are read too. */
const MARGIN = 0.3;

const TILES = 2 ** LAND_ZOOM;

/**
 * The land of the map's finest tiles within regions, by the packages that read such files and by counting edges. Nothing of it
 * passes through what the service makes of the tiles.
 *
 * @returns Whether a place is on land, and its distance from the coast, n mi: infinite beyond about 3 n mi.
 */
export async function landOfTiles(regions: readonly Region[]) {
  const tiles = new Map<string, (place: Place) => boolean>();
  const coast: [Position, Position][] = [];
  for (const [south, north, west, east] of regions) {
    const columns = [west - MARGIN, east + MARGIN].map((longitude) =>
      Math.floor(mercatorX(longitude) * TILES),
    );
    const rows = [north + MARGIN, south - MARGIN].map((latitude) => Math.floor(mercatorY(latitude) * TILES));
    for (let x = columns[0]!; x <= columns[1]!; x++)
      for (let y = rows[0]!; y <= rows[1]!; y++) await read((x + TILES) % TILES, y);
  }

  async function read(x: number, y: number): Promise<void> {
    const key = `${x}/${y}`;
    if (tiles.has(key)) return;
    const tile = await archive.getZxy(LAND_ZOOM, x, y);
    const layer = tile && new VectorTile(new PbfReader(new Uint8Array(tile.data))).layers[LAND_LAYER];
    const rings: Position[][] = [];
    for (let at = 0; layer && at < layer.length; at++) {
      const feature = layer.feature(at);
      const { geometry } = feature.toGeoJSON(x, y, LAND_ZOOM);
      if (geometry.type === "Polygon") rings.push(...geometry.coordinates);
      if (geometry.type === "MultiPolygon") rings.push(...geometry.coordinates.flat());
    }
    tiles.set(key, landWithin(rings));
    // Along the edges outside the tile the land was cut.
    const isIn = ([longitude = 0, latitude = 0]: Position) =>
      Math.floor(mercatorX(longitude) * TILES) === x && Math.floor(mercatorY(latitude) * TILES) === y;
    for (const ring of rings)
      for (let at = 1; at < ring.length; at++)
        if (isIn(ring[at - 1]!) || isIn(ring[at]!)) coast.push([ring[at - 1]!, ring[at]!]);
  }

  const milesOff = milesFrom(coast);
  return {
    isLand(place: Place): boolean {
      const { latitude, longitude } = place;
      const [x, y] = [Math.floor(mercatorX(longitude) * TILES), Math.floor(mercatorY(latitude) * TILES)];
      const isWithin = tiles.get(`${(x + TILES) % TILES}/${y}`);
      if (!isWithin) throw new Error(`${latitude}, ${longitude} is outside the regions`);
      return isWithin(place);
    },
    milesOff,
  };
}

const archive = new PMTiles({
  getKey: () => LAND_FILE,
  async getBytes(offset, length) {
    const file = await open(new URL(`../public/basemap/${LAND_FILE}`, import.meta.url));
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    await file.close();
    return { data: bytes.buffer.slice(0, bytesRead) };
  },
});

/** Edges that a parallel may cross are found by bands of this width, degrees. */
const BAND = 0.005;

/** Whether a place lies within an odd number of rings. */
export function landWithin(rings: readonly (readonly Position[])[]): (place: Place) => boolean {
  const bands = new Map<number, [x0: number, y0: number, x1: number, y1: number][]>();
  for (const ring of rings)
    for (let at = 1; at < ring.length; at++) {
      const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [ring[at - 1]!, ring[at]!];
      const last = Math.floor(Math.max(y0, y1) / BAND);
      for (let band = Math.floor(Math.min(y0, y1) / BAND); band <= last; band++) {
        const edges = bands.get(band);
        if (edges) edges.push([x0, y0, x1, y1]);
        else bands.set(band, [[x0, y0, x1, y1]]);
      }
    }
  return ({ latitude, longitude }) => {
    let isInside = false;
    for (const [x0, y0, x1, y1] of bands.get(Math.floor(latitude / BAND)) ?? []) {
      if (y0 > latitude === y1 > latitude) continue;
      if (x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0) > longitude) isInside = !isInside;
    }
    return isInside;
  };
}

type Vector = readonly [number, number, number];

/** Edges are found by bands of this width, degrees: farther than this in latitude none is looked at. */
const REACH = 0.06;

/**
 * Distance of a place from edges, n mi: that from the straight lines through the earth between their ends. Infinite beyond
 * about 3 n mi.
 */
export function milesFrom(edges: Iterable<readonly [Position, Position]>): (place: Place) => number {
  const bands = new Map<number, [Vector, Vector][]>();
  for (const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] of edges) {
    const edge: [Vector, Vector] = [onSphere(y0, x0), onSphere(y1, x1)];
    const last = Math.floor((Math.max(y0, y1) + REACH) / REACH);
    for (let band = Math.floor((Math.min(y0, y1) - REACH) / REACH); band <= last; band++) {
      const edges = bands.get(band);
      if (edges) edges.push(edge);
      else bands.set(band, [edge]);
    }
  }
  return ({ latitude, longitude }) => {
    const from = onSphere(latitude, longitude);
    let least = Number.POSITIVE_INFINITY;
    for (const [one, other] of bands.get(Math.floor(latitude / REACH)) ?? []) {
      const [a, ab] = [minus(from, one), minus(other, one)];
      const length = dot(ab, ab);
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, dot(a, ab) / length));
      const to: Vector = [a[0] - share * ab[0], a[1] - share * ab[1], a[2] - share * ab[2]];
      least = Math.min(least, dot(to, to));
    }
    return (Math.sqrt(least) * 6371) / 1.852;
  };
}

function onSphere(latitude: number, longitude: number): Vector {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

const minus = (one: Vector, other: Vector): Vector => [
  one[0] - other[0],
  one[1] - other[1],
  one[2] - other[2],
];
const dot = (one: Vector, other: Vector) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
