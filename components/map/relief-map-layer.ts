import { mapColours } from "#components/view-state/map-colours.ts";
import { FieldLayer, type FieldLayerOptions } from "./field-layer.ts";
import { endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import { RELIEF_RANGE, reliefTable } from "./relief-table.ts";

/** Depth as shades of the sea, on the plain map and where the field does not reach. */
export function reliefMapLayer({ element }: MapHost): MapLayer {
  let colours: Uint8Array | undefined;
  return {
    draw(scene, last) {
      if (scene.theme === last?.theme) return;
      const { shallow, abyss } = mapColours(element);
      colours = reliefTable(shallow, abyss);
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
