import { brotliDecompressSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { Coast } from "#lib/passage/optimise/coast.ts";
import { Coastline, unpackMasks } from "#lib/passage/optimise/coastline.ts";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { LAND_ZOOM, LandTile } from "#lib/places/land-tile.ts";
import { coastMaskBase64 } from "./coast-mask.data.ts";
import { LandArchive } from "./land-archive.ts";

/** Memory for tiles that were read, bytes: some hundred of them, at most 100 kB each. */
const TILE_CACHE_BYTES = 12e6;

let coast: Coast | undefined;

/**
 * The coast that the map shows: its finest tiles of the land of OpenStreetMap. Better routes keep clear of it, and tide
 * stations are chosen by the way around it. The masks of its cells are unpacked when they are first needed; tiles are read
 * where somebody asks.
 */
export function knownCoast(): Coast {
  coast ??= new Coast({
    ...unpackMasks(brotliDecompressSync(Buffer.from(coastMaskBase64, "base64"))),
    coastline: knownCoastline(),
  });
  return coast;
}

/** The line of that coast. */
export function knownCoastline(): Coastline {
  const archive = new LandArchive(new URL(`../../../public/basemap/${LAND_FILE}`, import.meta.url));
  const tiles = new LRUCache<number, LandTile>({
    maxSize: TILE_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  return new Coastline((x, y) => {
    const number = y * 2 ** LAND_ZOOM + x;
    const known = tiles.get(number);
    if (known) return known;
    const tile = LandTile.read(archive.tile(LAND_ZOOM, x, y));
    tiles.set(number, tile);
    return tile;
  });
}
