import { basemapColours } from "./basemap.ts";
import { FieldLayer, type FieldLayerOptions } from "./field-layer.ts";
import { type MapHost, type MapLayer, endOf } from "./map-layer.ts";
import { RELIEF_RANGE, reliefTable } from "./relief-table.ts";

/** Bands of depth in the colour of the sea, on the plain map and where a field leaves room. */
export function reliefMapLayer({ element }: MapHost): MapLayer {
  let colours: Uint8Array | undefined;
  return {
    draw(scene, last) {
      if (scene.theme === last?.theme) return;
      const { shelf, abyss } = basemapColours(element);
      colours = reliefTable(shelf, abyss);
    },
    layers({ relief }) {
      if (!relief || !colours) return [];
      const options: FieldLayerOptions = {
        id: "relief",
        beforeId: endOf("bathymetry"),
        pair: relief,
        colours,
        range: RELIEF_RANGE,
        paints: "value",
        pickable: false,
        parameters: { depthCompare: "always", depthWriteEnabled: false },
      };
      return [new FieldLayer(options)];
    },
  };
}
