import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { coastColour } from "./basemap.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import { landScale, loadOutline } from "./outline.ts";
import { isOverLand } from "./scene.ts";

/** Sea, land, coast and borders from this service's own files, without a tile or glyph server. */
export function basemapMapLayer(host: MapHost): MapLayer {
  host.waitFor(loadFine(host, addLayers(host)));
  return {
    draw(scene, last) {
      const below = isOverLand(scene);
      const isMoved = below !== (last !== undefined && isOverLand(last));
      if (isMoved) {
        layLand(host.map, "land", below);
        // The veil would falsify colours that tests read from pixels.
        host.map.setLayoutProperty("veil", "visibility", below && !host.probe ? "visible" : "none");
      }
      if (isMoved || scene.theme !== last?.theme) paint(host, mapColours(host.element), below);
    },
  };
}

const lines = [
  { id: "borders", source: "borders", width: 0.6, minzoom: 3 },
  { id: "coast", source: "coast", width: 0.8, minzoom: 0 },
] as const;

/** @returns Functions that set the data of the sources. */
function addLayers({ map }: MapHost) {
  const setLand = addGeojson(map, "land", { data: fileOf("land-110m"), tolerance: 0.2 });
  const setCoast = addGeojson(map, "coast", { tolerance: 0.2 });
  const setBorders = addGeojson(map, "borders", { tolerance: 0.2 });
  map.addLayer({ id: "sea", type: "background" }, endOf("sea"));
  map.addLayer(
    { id: "land", type: "fill", source: "land", paint: { "fill-antialias": false } },
    endOf("land"),
  );
  // Separates land and sea if both are coloured.
  map.addLayer(
    {
      id: "veil",
      type: "fill",
      source: "land",
      layout: { visibility: "none" },
      paint: { "fill-antialias": false, "fill-opacity": 0.45 },
    },
    endOf("land"),
  );
  for (const { id, source, width, minzoom } of lines) {
    map.addLayer({ id, type: "line", source, minzoom, paint: { "line-width": width } }, endOf("land"));
  }
  return { setLand, setCoast, setBorders };
}

/** Moves the land polygons below or above the colours; coast and borders stay above. */
export function layLand(map: MapHost["map"], id: string, below: boolean): void {
  map.moveLayer(id, below ? endOf("covered-land") : "borders");
}

function paint({ map }: MapHost, colours: MapColours, below: boolean): void {
  map.setPaintProperty("sea", "background-color", colours.sea);
  for (const id of ["land", "veil"]) map.setPaintProperty(id, "fill-color", colours.land);
  map.setPaintProperty("borders", "line-color", colours.border);
  map.setPaintProperty("coast", "line-color", coastColour(colours, below));
}

/** MapLibre's own worker reads the files, off the main thread. */
const fileOf = (name: string) => `/basemap/${name}.json`;

/**
 * Loads the coast after the small land of the first picture, and the finer land and borders once the map is
 * close enough to show them.
 */
async function loadFine(host: MapHost, sources: ReturnType<typeof addLayers>): Promise<void> {
  const { map, firstField, waitFor } = host;
  const { setLand, setCoast, setBorders } = sources;
  await firstField;
  if (landScale(map.getZoom()) === "110m") {
    const nearer = () => {
      if (landScale(map.getZoom()) === "110m") return;
      map.off("zoom", nearer);
      waitFor(loadNear());
    };
    try {
      setCoast((await loadOutline("110m")).coast);
    } finally {
      map.on("zoom", nearer);
      // The map may have zoomed in while data loaded.
      nearer();
    }
    return;
  }
  await loadNear();

  async function loadNear(): Promise<void> {
    setLand(fileOf("land-50m"));
    setBorders(fileOf("borders-50m"));
    setCoast((await loadOutline()).coast);
  }
}
