import type { LayerSpecification } from "maplibre-gl";
import { mapColours } from "#components/view-state/map-colours.ts";
import { paintLayers } from "#components/view-state/paint-map.ts";
import { labelFont } from "./basemap.ts";
import { endOf, type MapHost, type MapLayer, showLayers } from "./map-layer.ts";

/** Font size, letter spacing (in ems), and width after which a line breaks (in ems). */
const kinds = [
  { kind: "ocean", size: 15, spacing: 0.2, width: 8 },
  { kind: "sea", size: 12, spacing: 0.1, width: 7 },
  { kind: "country", size: 12, spacing: 0.05, width: 8 },
  { kind: "port", size: 11, spacing: 0, width: 8 },
  { kind: "cape", size: 11, spacing: 0, width: 8 },
] as const;

/** Names of oceans, seas, countries, ports and capes, in the language of the page. */
export function namesMapLayer({ map, element, words }: MapHost): MapLayer {
  map.addSource("names", { type: "geojson", data: `/basemap/names-${words.language}.json` });
  const paint = () => {
    const colours = mapColours(element);
    const layers = kinds.map(({ kind, size, spacing, width }) => {
      const isPoint = kind === "port" || kind === "cape";
      const isWet = kind === "ocean" || kind === "sea";
      return {
        id: `names-${kind}`,
        type: "symbol",
        source: "names",
        filter: ["all", ["==", ["get", "kind"], kind], [">=", ["zoom"], ["get", "z"]]],
        layout: {
          // The dot of a point is a character, so no icon is needed.
          "text-field": isPoint ? ["concat", "• ", ["get", "name"]] : ["get", "name"],
          "text-font": labelFont,
          "text-size": size,
          "text-letter-spacing": spacing,
          "text-max-width": width,
          // Names of waters and countries give way to the mark of the sampled place.
          ...(isPoint
            ? { "text-anchor": "left" as const }
            : { "text-variable-anchor": ["center", "top", "bottom"], "text-radial-offset": 1.6 }),
          "symbol-sort-key": ["get", "z"],
          "text-padding": 6,
        },
        paint: {
          "text-color": isWet ? colours["sea-name"] : colours.name,
          "text-halo-color": colours.halo,
          "text-halo-width": 1.5,
        },
      } satisfies LayerSpecification as LayerSpecification;
    });
    // The names lie below symbols and the numbers of isolines, which take precedence.
    paintLayers(map, layers, () => endOf("names"));
  };
  return {
    draw(scene, last) {
      if (scene.theme !== last?.theme) paint();
      if (scene.overlays !== last?.overlays) {
        showLayers(
          map,
          kinds.map(({ kind }) => `names-${kind}`),
          scene.overlays.includes("names"),
        );
      }
    },
  };
}
