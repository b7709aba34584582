import { mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "./map-layer.ts";

/** Mark of the sampled place. */
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
        paintLayers(map, [mark], () => endOf("marks"));
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
