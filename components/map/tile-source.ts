/** Prefix of the sources and layers of overlays in the style; the id of the overlay follows. */
export const TILES = "tiles-";

/** Id of the overlay whose tiles a source has; undefined for the other sources of the map. */
export function tilesOf(source: string | undefined): string | undefined {
  return source?.startsWith(TILES) ? source.slice(TILES.length) : undefined;
}
