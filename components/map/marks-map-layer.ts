import type { GeoJSONSource } from "maplibre-gl";
import { basemapColours } from "./basemap.ts";
import { type MapHost, type MapLayer, endOf } from "./map-layer.ts";

/** The sampled place. */
export function marksMapLayer({ map, element }: MapHost): MapLayer {
  map.addSource("sample", { type: "geojson", data: { type: "FeatureCollection", features: [] } });
  map.addLayer(
    {
      id: "sample",
      type: "circle",
      source: "sample",
      paint: {
        "circle-radius": 6,
        "circle-stroke-width": 3,
      },
    },
    endOf("marks"),
  );
  return {
    draw({ sample, theme }, last) {
      if (theme !== last?.theme) {
        const colours = basemapColours(element);
        map.setPaintProperty("sample", "circle-stroke-color", colours.sample);
        map.setPaintProperty("sample", "circle-color", colours.sampleFill);
      }
      if (sample !== last?.sample) {
        const geometries = sample
          ? [{ type: "Point" as const, coordinates: [sample.longitude, sample.latitude] }]
          : [];
        const source = map.getSource("sample") as GeoJSONSource;
        source.setData({ type: "GeometryCollection", geometries });
      }
    },
  };
}
