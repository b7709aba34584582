import { mapColours, paintLayers } from "#components/view-state/map-colours.ts";
import { addGeojson, endOf, layersOf, type MapHost, type MapLayer } from "./map-layer.ts";

/** Mark of the sampled place. */
export function marksMapLayer({ map, element }: MapHost): MapLayer {
  const setSample = addGeojson(map, "sample");
  return {
    draw({ sample, theme }, last) {
      if (theme !== last?.theme) {
        const colours = mapColours(element);
        const circle = layersOf("sample").circle("sample", {
          "circle-radius": 6,
          "circle-stroke-width": 3,
          "circle-stroke-color": colours.sample,
          "circle-color": colours["sample-fill"],
        });
        paintLayers(map, [circle], () => endOf("marks"));
      }
      if (sample !== last?.sample) {
        setSample(sample ? { type: "Point", coordinates: [sample.longitude, sample.latitude] } : undefined);
      }
    },
  };
}
