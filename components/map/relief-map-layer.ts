import { mapColours } from "#components/view-state/map-colours.ts";
import { COLOURS } from "#lib/catalog/colours.ts";
import { FieldLayer, type FieldLayerOptions } from "./field-layer.ts";
import { endOf, type MapHost, type MapLayer } from "./map-layer.ts";

/** Shows depth as shades of the sea, on the plain map and where the field does not reach. */
export function reliefMapLayer({ element }: MapHost): MapLayer {
  let colours: Uint8Array | undefined;
  return {
    draw(scene, last) {
      if (scene.theme === last?.theme) return;
      const { sea, abyss } = mapColours(element);
      colours = reliefTable(sea, abyss);
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

/** Depths of the first and last colour, metres. */
export const RELIEF_RANGE = [0, 6000] as const;

/** Lower limits of the depth bands, metres: the continental slope, then every kilometre. */
const BAND_ENDS = [200, 1000, 2000, 3000, 4000, 5000] as const;

/**
 * Colours by depth, in bands as on nautical charts, in even steps from `shallow` to `abyss`.
 *
 * @param shallow `#rrggbb`, as `abyss`.
 * @returns RGBA bytes for `RELIEF_RANGE`, shallowest first.
 */
export function reliefTable(shallow: string, abyss: string): Uint8Array<ArrayBuffer> {
  const [from, to] = [bytesOf(shallow), bytesOf(abyss)];
  const table = new Uint8Array(4 * COLOURS);
  for (let index = 0; index < COLOURS; index++) {
    const depth = (index / (COLOURS - 1)) * RELIEF_RANGE[1];
    const share = BAND_ENDS.filter((end) => depth > end).length / BAND_ENDS.length;
    const colour = from.map((byte, channel) => Math.round(byte + (to[channel]! - byte) * share));
    table.set([...colour, 255], 4 * index);
  }
  return table;
}

function bytesOf(colour: string): number[] {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (!digits) throw new TypeError(`Not a colour of a theme: ${colour}`);
  return digits.slice(1).map((pair) => Number.parseInt(pair, 16));
}
