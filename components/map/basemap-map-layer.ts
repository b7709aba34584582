import { addProtocol } from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { LAND_LAYER, LAND_ZOOM } from "#lib/places/land-tile.ts";
import { COAST_WIDTH } from "./basemap.ts";
import { landBytes } from "./land/land-tiles.ts";
import { addGeojson, endOf, type MapHost, type MapLayer, showLayers } from "./map-layer.ts";
import { isOverLand } from "./scene.ts";

/** Addresses of the land's tiles, which the page reads from one file. */
const PROTOCOL = "land";
addProtocol(PROTOCOL, async ({ url }) => {
  const [z = 0, x = 0, y = 0] = url.slice(`${PROTOCOL}://`.length).split("/").map(Number);
  // The worker of the map takes what it is given, and the land of symbols needs it too.
  return { data: (await landBytes(z, x, y)).slice(0) };
});

/** Sea, land, coast and borders from this service's own files, without a tile or glyph server. */
export function basemapMapLayer(host: MapHost): MapLayer {
  const setBorders = addLayers(host);
  host.waitFor(host.firstField.then(() => setBorders("/basemap/borders-50m.json")));
  return {
    draw(scene, last) {
      const below = isOverLand(scene);
      const isMoved = below !== (last !== undefined && isOverLand(last));
      if (isMoved) {
        layLand(host.map, below);
        showLayers(host.map, ["veil"], below);
      }
      if (scene.theme !== last?.theme) paint(host, mapColours(host.element));
    },
  };
}

/** Zoom from which borders are drawn. */
const BORDERS_ZOOM = 3;

/** @returns Function that sets the data of the borders. */
function addLayers({ map }: MapHost) {
  map.addSource(LAND_LAYER, {
    type: "vector",
    tiles: [`${PROTOCOL}://{z}/{x}/{y}`],
    minzoom: 0,
    maxzoom: LAND_ZOOM,
  });
  const setBorders = addGeojson(map, "borders", { tolerance: 0.2 });
  const ofLand = { source: LAND_LAYER, "source-layer": LAND_LAYER };
  map.addLayer({ id: "sea", type: "background" }, endOf("sea"));
  map.addLayer({ ...ofLand, id: "land", type: "fill", paint: { "fill-antialias": false } }, endOf("land"));
  // Dims colours that cover the land, so that the sea stands out.
  map.addLayer(
    {
      ...ofLand,
      id: "veil",
      type: "fill",
      layout: { visibility: "none" },
      paint: { "fill-antialias": false, "fill-opacity": 0.94 },
    },
    endOf("land"),
  );
  map.addLayer(
    { id: "borders", type: "line", source: "borders", minzoom: BORDERS_ZOOM, paint: { "line-width": 0.6 } },
    endOf("land"),
  );
  map.addLayer(
    {
      ...ofLand,
      id: "coast",
      type: "line",
      // Longer mitres would draw the tips of sharp corners beyond the width of the line.
      layout: { "line-miter-limit": 1.05 },
      paint: { "line-width": COAST_WIDTH },
    },
    endOf("land"),
  );
  return setBorders;
}

/** Moves the land polygons below or above the colours; coast and borders stay above. */
function layLand(map: MapHost["map"], below: boolean): void {
  map.moveLayer("land", below ? endOf("covered-land") : "borders");
}

function paint({ map }: MapHost, colours: MapColours): void {
  map.setPaintProperty("sea", "background-color", colours.sea);
  for (const id of ["land", "veil"]) map.setPaintProperty(id, "fill-color", colours.land);
  map.setPaintProperty("borders", "line-color", colours.border);
  map.setPaintProperty("coast", "line-color", colours.coast);
}
