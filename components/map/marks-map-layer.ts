import type { GeoJSONSource } from "maplibre-gl";
import { mapColours } from "#components/view-state/map-colours.ts";
import { endOf, type MapHost, type MapLayer } from "./map-layer.ts";

/** Mark of the sampled place. */
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
        const colours = mapColours(element);
        map.setPaintProperty("sample", "circle-stroke-color", colours.sample);
        map.setPaintProperty("sample", "circle-color", colours["sample-fill"]);
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
