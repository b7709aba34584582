import type { SymbolLayerSpecification } from "maplibre-gl";
import { mapColours } from "#components/view-state/map-colours.ts";
import { labelFont } from "./basemap.ts";
import { endOf, type MapHost, type MapLayer, showLayers } from "./map-layer.ts";

/** Size, letter spacing (of the size), and width after which a line ends (of the size). */
const kinds = [
  { kind: "ocean", size: 15, spacing: 0.2, width: 8 },
  { kind: "sea", size: 12, spacing: 0.1, width: 7 },
  { kind: "country", size: 12, spacing: 0.05, width: 8 },
  { kind: "port", size: 11, spacing: 0, width: 8 },
  { kind: "cape", size: 11, spacing: 0, width: 8 },
] as const;

/** Names of oceans, seas, countries, ports and capes. */
export function namesMapLayer({ map, element }: MapHost): MapLayer {
  map.addSource("names", { type: "geojson", data: "/basemap/names.json" });
  for (const { kind, size, spacing, width } of kinds) {
    const point = kind === "port" || kind === "cape";
    const layer: SymbolLayerSpecification = {
      id: `names-${kind}`,
      type: "symbol",
      source: "names",
      filter: ["all", ["==", ["get", "kind"], kind], [">=", ["zoom"], ["get", "z"]]],
      layout: {
        // The dot of a point is a character, so that no icon is needed.
        "text-field": point ? ["concat", "• ", ["get", "name"]] : ["get", "name"],
        "text-font": labelFont,
        "text-size": size,
        "text-letter-spacing": spacing,
        "text-max-width": width,
        "text-anchor": point ? "left" : "center",
        "symbol-sort-key": ["get", "z"],
        "text-padding": 6,
      },
      paint: { "text-halo-width": 1.5 },
    };
    // Below the symbols and the numbers of isolines, which take precedence.
    map.addLayer(layer, endOf("names"));
  }
  return {
    draw(scene, last) {
      if (scene.overlays !== last?.overlays) {
        showLayers(
          map,
          kinds.map(({ kind }) => `names-${kind}`),
          scene.overlays.includes("names"),
        );
      }
      if (scene.theme === last?.theme) return;
      const colours = mapColours(element);
      for (const { kind } of kinds) {
        const wet = kind === "ocean" || kind === "sea";
        map.setPaintProperty(`names-${kind}`, "text-color", wet ? colours["sea-name"] : colours.name);
        map.setPaintProperty(`names-${kind}`, "text-halo-color", colours.halo);
      }
    },
  };
}
