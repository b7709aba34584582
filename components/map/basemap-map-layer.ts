import type { GeoJSONSource, LineLayerSpecification } from "maplibre-gl";
import { type BasemapColours, basemapColours } from "./basemap.ts";
import { type MapHost, type MapLayer, endOf } from "./map-layer.ts";
import { loadOutline } from "./outline.ts";

/** Sea, land, coast and borders, without a tile or glyph server. */
export function basemapMapLayer(host: MapHost): MapLayer {
  addLayers(host);
  host.waitFor(loadFine(host));
  return {
    draw(scene, last) {
      if (scene.theme !== last?.theme) paint(host, basemapColours(host.element));
    },
  };
}

const lines = [
  { id: "borders", source: "borders", height: "land", width: 0.6, minzoom: 3, maxzoom: 24 },
  { id: "coast", source: "coast", height: "land", width: 0.8, minzoom: 0, maxzoom: 24 },
] as const;

function addLayers({ map }: MapHost): void {
  const empty = { type: "FeatureCollection" as const, features: [] };
  for (const name of ["land", "coast", "borders"]) {
    const data = name === "land" ? fileOf("land-110m") : empty;
    map.addSource(name, { type: "geojson", data, tolerance: 0.2 });
  }
  map.addLayer({ id: "sea", type: "background" }, endOf("sea"));
  map.addLayer(
    { id: "land", type: "fill", source: "land", paint: { "fill-antialias": false } },
    endOf("land"),
  );
  for (const { id, source, height, width, minzoom, maxzoom } of lines) {
    const layer: LineLayerSpecification = { id, type: "line", source, paint: { "line-width": width } };
    map.addLayer({ ...layer, minzoom, maxzoom }, endOf(height));
  }
}

function paint({ map }: MapHost, colours: BasemapColours): void {
  map.setPaintProperty("sea", "background-color", colours.sea);
  map.setPaintProperty("land", "fill-color", colours.land);
  map.setPaintProperty("borders", "line-color", colours.border);
  map.setPaintProperty("coast", "line-color", colours.coast);
}

/** MapLibre's own worker reads the files, so that they take no time from drawing. */
const fileOf = (name: string) => `/basemap/${name}.json`;

/** The coast, the finer land and the borders, after the small land of a quick first picture. */
async function loadFine({ map, firstField }: MapHost): Promise<void> {
  await firstField;
  const set = (name: string, url: string) => (map.getSource(name) as GeoJSONSource | undefined)?.setData(url);
  set("land", fileOf("land-50m"));
  set("borders", fileOf("borders-50m"));
  const { coast } = await loadOutline();
  set("coast", coast);
}
