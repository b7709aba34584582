import type { ViewBox } from "@open-metocean/geo/box";
import { type Place, RADIANS } from "@open-metocean/geo/sphere";
import { PMTiles, type Source } from "pmtiles";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { LAND_ZOOM, LandTile, MAX_TILE_LATITUDE, mercatorX, mercatorY } from "#lib/places/land-tile.ts";

/** Whether a place is on land: latitude and longitude (−180..180), degrees. */
export type OnLand = (latitude: number, longitude: number) => boolean;

/** Reads parts of the file, each of which the browser caches for good: the name of the file tells its content. */
const source: Source = {
  getKey: () => LAND_FILE,
  async getBytes(offset, length, signal) {
    const range = `bytes=${offset}-${offset + length - 1}`;
    // Each part has an address of its own: of parts that are read at once from one address, Chromium stores only some.
    const reply = await fetch(`/basemap/${LAND_FILE}?${range}`, {
      headers: { range },
      signal: signal ?? null,
    });
    if (reply.status !== 206) throw new Error(`The land could not be read (${reply.status}).`);
    return { data: await reply.arrayBuffer() };
  },
};

let archive = new PMTiles(source);

/** Most tiles in memory: those of some views. */
const MAX_TILES = 200;

/** Tiles by zoom, column and row, in the order in which they were used. */
const tiles = new Map<string, { bytes: Promise<ArrayBuffer>; land: LandTile | undefined }>();

/** The bytes of a tile; none where there is no land. A tile that could not be read is read again. */
export function landBytes(z: number, x: number, y: number): Promise<ArrayBuffer> {
  return tileOf(z, x, y).bytes;
}

function tileOf(z: number, x: number, y: number) {
  const key = `${z}/${x}/${y}`;
  let tile = tiles.get(key);
  if (tile) tiles.delete(key);
  else {
    const bytes = archive.getZxy(z, x, y).then((reply) => reply?.data ?? new ArrayBuffer(0));
    tile = { bytes, land: undefined };
    bytes.catch(() => {
      tiles.delete(key);
      // The package keeps a directory that could not be read as one that never can be.
      archive = new PMTiles(source);
    });
  }
  tiles.set(key, tile);
  const [oldest] = tiles.keys();
  if (tiles.size > MAX_TILES) tiles.delete(oldest!);
  return tile;
}

/** Zoom of the tiles that the map draws at a zoom of its own. */
export function tileZoom(zoom: number): number {
  return Math.max(0, Math.min(LAND_ZOOM, Math.floor(zoom)));
}

/**
 * The land in a box, by the tiles of a zoom. Places outside it are answered by the tile of the whole earth.
 *
 * @param box Its west is below −180 or its east above 180 if it crosses the antimeridian.
 * @param zoom Of tiles.
 */
export async function landIn(box: ViewBox, zoom: number): Promise<OnLand> {
  const names = [[0, 0, 0] as const, ...tilesIn(box, zoom)];
  const read = await Promise.all(
    names.map(async ([z, x, y]) => {
      const tile = tileOf(z, x, y);
      const bytes = await tile.bytes;
      tile.land ??= LandTile.read(bytes.byteLength > 0 ? new Uint8Array(bytes) : undefined);
      return [y * 2 ** z + x, tile.land] as const;
    }),
  );
  const [[, earth]] = read as [readonly [number, LandTile]];
  const near = new Map(read.slice(1));
  const count = 2 ** zoom;
  return (latitude, longitude) => {
    if (Math.abs(latitude) >= MAX_TILE_LATITUDE) return latitude < 0;
    const around = mercatorX(longitude);
    // Neighbours of places at 180° may lie beyond it.
    const [x, y] = [around - Math.floor(around), mercatorY(latitude)];
    const [column, row] = [Math.floor(x * count), Math.floor(y * count)];
    const tile = near.get(row * count + column);
    return tile ? tile.isLand(x * count - column, y * count - row) : earth.isLand(x, y);
  };
}

/** The land around a place, by the finest tiles. */
export function landAround({ latitude, longitude }: Place, miles: number): Promise<OnLand> {
  const [high, wide] = [miles / 60, miles / 60 / Math.max(0.1, Math.cos(latitude * RADIANS))];
  const box = {
    south: latitude - high,
    north: latitude + high,
    west: longitude - wide,
    east: longitude + wide,
  };
  return landIn(box, LAND_ZOOM);
}

/** Names of the tiles of a zoom in a box, each once. */
export function tilesIn(
  { south, north, west, east }: ViewBox,
  zoom: number,
): [z: number, x: number, y: number][] {
  const count = 2 ** zoom;
  const row = (latitude: number) => {
    const within = Math.max(-MAX_TILE_LATITUDE, Math.min(MAX_TILE_LATITUDE, latitude));
    return Math.max(0, Math.min(count - 1, Math.floor(mercatorY(within) * count)));
  };
  const first = Math.floor(mercatorX(west) * count);
  const last = Math.min(first + count - 1, Math.floor(mercatorX(east) * count));
  const names: [number, number, number][] = [];
  for (let y = row(north); y <= row(south); y++)
    for (let x = first; x <= last; x++) names.push([zoom, ((x % count) + count) % count, y]);
  return names;
}
