import type { ViewBox } from "@open-metocean/geo/box";
import type { Map as MapLibreMap } from "maplibre-gl";
import { viewBoxOf } from "#components/map/map-events.ts";
import { LAND_LAYER } from "#lib/places/land-tile.ts";

/**
 * Least share of a view within the last one whose land was drawn as a whole. MapLibre goes on drawing the tiles of that one, so
 * most of the land is there while the map is moved by hand, also where it is zoomed out by two steps.
 */
const MIN_SHARE = 1 / 16;

/**
 * Whether the map draws the land of its view, to be asked while a frame is drawn: after a jump to a far place it does not until
 * the tiles are read. A tile that cannot be read counts as read.
 */
export function landOfView(map: MapLibreMap): () => boolean {
  let drawn: ViewBox | undefined;
  return () => {
    const view = viewBoxOf(map);
    if (map.isSourceLoaded(LAND_LAYER)) drawn = view;
    return drawn !== undefined && shareWithin(view, drawn) >= MIN_SHARE;
  };
}

/** Share of a box that lies within another one, which may be written in another turn around the Earth. */
function shareWithin(box: ViewBox, other: ViewBox): number {
  const turn = 360 * Math.round((box.west + box.east - other.west - other.east) / 720);
  const wide = Math.min(box.east, other.east + turn) - Math.max(box.west, other.west + turn);
  const high = Math.min(box.north, other.north) - Math.max(box.south, other.south);
  return (Math.max(0, wide) * Math.max(0, high)) / ((box.east - box.west) * (box.north - box.south));
}
