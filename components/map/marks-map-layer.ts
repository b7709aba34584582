import { mapColours } from "#components/view-state/map-colours.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "./map-layer.ts";

/** Mark of the sampled place. */
export function marksMapLayer({ map, element }: MapHost): MapLayer {
  const setSample = addGeojson(map, "sample");
  const paint = { "circle-radius": 6, "circle-stroke-width": 3 };
  map.addLayer({ id: "sample", type: "circle", source: "sample", paint }, endOf("marks"));
  return {
    draw({ sample, theme }, last) {
      if (theme !== last?.theme) {
        const colours = mapColours(element);
        map.setPaintProperty("sample", "circle-stroke-color", colours.sample);
        map.setPaintProperty("sample", "circle-color", colours["sample-fill"]);
      }
      if (sample !== last?.sample) {
        setSample(sample ? { type: "Point", coordinates: [sample.longitude, sample.latitude] } : undefined);
      }
    },
  };
}
