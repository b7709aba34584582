import type { MultiPolygon } from "geojson";
import type { GeoJSONSource, LineLayerSpecification } from "maplibre-gl";
import { type BasemapColours, basemapColours, coastOf } from "#components/map/basemap.ts";
import { type MapHost, type MapPart, within } from "#components/map/map-part.ts";

/** Sea, land, coast and borders, without a tile or glyph server. */
export function basemapPart(host: MapHost): MapPart {
  addLayers(host);
  host.wait(load(host));
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
    map.addSource(name, { type: "geojson", data: empty, tolerance: 0.2 });
  }
  map.addLayer({ id: "sea", type: "background" }, within("sea"));
  map.addLayer(
    { id: "land", type: "fill", source: "land", paint: { "fill-antialias": false } },
    within("land"),
  );
  for (const { id, source, height, width, minzoom, maxzoom } of lines) {
    const layer: LineLayerSpecification = { id, type: "line", source, paint: { "line-width": width } };
    map.addLayer({ ...layer, minzoom, maxzoom }, within(height));
  }
}

function paint({ map }: MapHost, colours: BasemapColours): void {
  map.setPaintProperty("sea", "background-color", colours.sea);
  map.setPaintProperty("land", "fill-color", colours.land);
  map.setPaintProperty("borders", "line-color", colours.border);
  map.setPaintProperty("coast", "line-color", colours.coast);
}

/** Small land first, for a quick first picture; then the fine one and the borders. */
async function load({ map }: MapHost): Promise<void> {
  const fetched = async <G>(name: string) => (await (await fetch(`/basemap/${name}.json`)).json()) as G;
  const borders = fetched<GeoJSON.GeoJSON>("borders-50m");
  const land = ["land-110m", "land-50m"].map((name) => fetched<MultiPolygon>(name));
  const set = (name: string, data: GeoJSON.GeoJSON) => (map.getSource(name) as GeoJSONSource).setData(data);
  for (const resolution of land) {
    const polygons = await resolution;
    set("land", polygons);
    set("coast", coastOf(polygons));
  }
  set("borders", await borders);
}
