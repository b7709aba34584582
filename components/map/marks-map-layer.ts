import type { LayerSpecification } from "maplibre-gl";
import { mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import { labelFont } from "./basemap.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "./map-layer.ts";

/** Only symbol layers displace labels, so the space for the mark is reserved by an invisible symbol. */
const room: LayerSpecification = {
  id: "sample-room",
  source: "sample",
  type: "symbol",
  layout: {
    "text-field": "●",
    "text-font": labelFont,
    "text-size": 18,
    "text-allow-overlap": true,
    "text-padding": 0,
  },
  paint: { "text-opacity": 0 },
};

/** Draws the mark of the sampled place. */
export function marksMapLayer({ map, element }: MapHost): MapLayer {
  const setSample = addGeojson(map, "sample");
  return {
    draw({ sample, theme }, last) {
      if (theme !== last?.theme) {
        const colours = mapColours(element);
        const mark = layersOf("sample").dots(
          "sample",
          "sample",
          colours["sample-fill"],
          colours.sample,
          [6, 3],
        );
        paintLayers(map, [mark, room], () => endOf("marks"));
      }
      if (sample !== last?.sample) {
        setSample(
          sample
            ? {
                type: "Feature",
                properties: { kind: "sample" },
                geometry: { type: "Point", coordinates: [sample.longitude, sample.latitude] },
              }
            : undefined,
        );
      }
    },
  };
}
