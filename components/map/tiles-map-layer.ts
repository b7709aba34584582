import type { RasterLayerSpecification } from "maplibre-gl";
import type { Theme } from "#components/view-state/map-colours.ts";
import type { DrawnTiles } from "#components/view-state/tile-overlays.ts";
import { endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import { TILES, tilesOf } from "./tile-source.ts";

/** Pictures of others are made for the day; they are dimmed, and at night have no colours, so that they do not blind. */
const shades: Readonly<Record<Theme, RasterLayerSpecification["paint"]>> = {
  light: { "raster-brightness-max": 1, "raster-saturation": 0 },
  dusk: { "raster-brightness-max": 0.6, "raster-saturation": -0.2 },
  night: { "raster-brightness-max": 0.3, "raster-saturation": -1 },
};

/** An event of MapLibre about a tile of a source. */
interface TileEvent {
  sourceId?: string;
  tile?: { tileID: { key: string } };
}

/** Tiles of other services, in the order of the scene. A service that does not answer is reported to the host. */
export function tilesMapLayer({ map, probe, onTiles }: MapHost): MapLayer {
  let drawn: readonly DrawnTiles[] = [];
  /** Tiles that could not be read, by overlay. A missing tile looks like an empty one until it is read. */
  const missing = new Map<string, Set<string>>();
  const report = ({ sourceId, tile }: TileEvent, answers: boolean) => {
    const id = tilesOf(sourceId);
    if (id === undefined || !tile) return;
    const tiles = missing.get(id) ?? new Set<string>();
    missing.set(id, tiles);
    if (answers) tiles.delete(tile.tileID.key);
    else tiles.add(tile.tileID.key);
    onTiles(id, tiles.size === 0);
  };
  map.on("error", (event) => report(event as TileEvent, false));
  map.on("sourcedata", (event) => report(event as TileEvent, true));
  const forget = (id: string) => {
    missing.delete(id);
    onTiles(id, true);
  };
  const remove = ({ id }: DrawnTiles) => {
    map.removeLayer(TILES + id);
    map.removeSource(TILES + id);
    forget(id);
  };
  const add = ({ id, address, tileSize, zooms, opacity, credit }: DrawnTiles, theme: Theme) => {
    const [minzoom, maxzoom] = zooms;
    // A map that lost its graphics may have reported it before.
    forget(id);
    map.addSource(TILES + id, {
      type: "raster",
      tiles: [address],
      tileSize,
      minzoom,
      maxzoom,
      attribution: escaped(credit),
    });
    const paint = { ...shades[theme], "raster-opacity": opacity, "raster-fade-duration": probe ? 0 : 300 };
    map.addLayer({ id: TILES + id, type: "raster", source: TILES + id, minzoom, paint }, endOf("tiles"));
  };
  return {
    draw({ tiles, theme }, last) {
      if (tiles === last?.tiles && theme === last.theme) return;
      // Layers are added anew from the first one that differs, which keeps their order.
      const same = theme === last?.theme ? drawn.findIndex((one, at) => !isSame(one, tiles[at])) : 0;
      const kept = same < 0 ? drawn.length : same;
      for (const one of drawn.slice(kept)) remove(one);
      for (const one of tiles.slice(kept)) add(one, theme);
      drawn = tiles;
    },
  };
}

const isSame = (one: DrawnTiles, other: DrawnTiles | undefined) =>
  one.id === other?.id && one.address === other.address && one.credit === other.credit;

/** MapLibre writes credits as HTML. */
function escaped(text: string): string {
  const element = document.createElement("span");
  element.textContent = text;
  return element.innerHTML;
}
