import type { FeatureCollection } from "geojson";
import type { LayerSpecification, SymbolLayerSpecification } from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { ICON_RATIO, mapIcon, paintLayers, setImages } from "#components/view-state/paint-map.ts";
import { labelFont } from "./basemap.ts";
import { addGeojson, endOf, type MapHost, type MapLayer, showLayers } from "./map-layer.ts";

/**
 * Font size, letter spacing (in ems), and width after which a line breaks (in ems). Of names that do not both fit, the
 * one whose kind is further down is drawn.
 */
const kinds = [
  { kind: "town", size: 11, spacing: 0, width: 8 },
  { kind: "water", size: 11, spacing: 0.1, width: 7 },
  { kind: "ocean", size: 15, spacing: 0.2, width: 8 },
  { kind: "sea", size: 12, spacing: 0.1, width: 7 },
  { kind: "country", size: 12, spacing: 0.05, width: 8 },
  { kind: "port", size: 11, spacing: 0, width: 8 },
  { kind: "cape", size: 11, spacing: 0, width: 8 },
] as const;

/** Beside a port, cape or town; or else above or below the mark of a tide station in its harbour. Offsets are in ems. */
const nameAnchors: NonNullable<SymbolLayerSpecification["layout"]>["text-variable-anchor-offset"] = [
  "left",
  [0.5, 0],
  "right",
  [-0.5, 0],
  "top-left",
  [0.3, 0.3],
  "bottom-left",
  [0.3, -0.3],
  "top-left",
  [0.3, 1.9],
  "bottom-left",
  [0.3, -1.9],
];

/** Image of the dot at a port, cape or town. */
const DOT = "name-dot";

/** Zoom from which the gazetteer is read: a coast of some 400 n mi fills the map. */
const GAZETTEER_ZOOM = 6;

/** The kinds that are read once the map is near a coast. */
const nearKinds: readonly string[] = ["town", "water"];

/**
 * Names of oceans, seas, countries, ports and capes in the language of the page; near a coast also those of towns,
 * islands and small waters, which the gazetteer names in the language of the page or else of the country.
 */
export function namesMapLayer({ map, element, words, waitFor }: MapHost): MapLayer {
  map.addSource("names", { type: "geojson", data: `/basemap/names-${words.language}.json` });
  const setNear = addGeojson(map, "near-names");
  // Japanese and Chinese names break between any two characters, so that one on two lines reads like two names.
  const isIdeographic = ["ja", "zh"].includes(words.language);
  let isShown = false;
  let isAsked = false;
  const readNear = async () => {
    let names: FeatureCollection | undefined;
    try {
      const { readNearNames } = await import("./near-names.ts");
      names = await readNearNames(words.language);
      setNear(names);
    } finally {
      // If reading failed, the next movement of the map tries again.
      isAsked = names !== undefined;
    }
  };
  const update = () => {
    if (isAsked || !isShown || map.getZoom() < GAZETTEER_ZOOM) return;
    isAsked = true;
    waitFor(readNear());
  };
  map.on("moveend", update);
  const paint = () => {
    const colours = mapColours(element);
    setImages(map, [[DOT, dotIcon(colours)]], ICON_RATIO);
    const layers = kinds.map(({ kind, size, spacing, width }) => {
      const isPoint = kind === "port" || kind === "cape" || kind === "town";
      const isWet = kind === "ocean" || kind === "sea" || kind === "water";
      return {
        id: `names-${kind}`,
        type: "symbol",
        source: nearKinds.includes(kind) ? "near-names" : "names",
        filter: ["all", ["==", ["get", "kind"], kind], [">=", ["zoom"], ["get", "z"]]],
        layout: {
          "text-field": ["get", "name"],
          "text-font": labelFont,
          "text-size": size,
          "text-letter-spacing": spacing,
          "text-max-width": isPoint && isIdeographic ? 2 * width : width,
          // Names of waters and countries give way to the mark of the sampled place.
          ...(isPoint
            ? {
                // The dot stays at its place, wherever the name has room.
                "icon-image": DOT,
                "icon-allow-overlap": true,
                "text-justify": "auto",
                "text-variable-anchor-offset": nameAnchors,
              }
            : { "text-variable-anchor": ["center", "top", "bottom"], "text-radial-offset": 1.6 }),
          "symbol-sort-key": ["+", ["get", "z"], ["*", 0.1, ["coalesce", ["get", "rank"], 0]]],
          "text-padding": isPoint ? 3 : 6,
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
        isShown = scene.overlays.includes("names");
        showLayers(
          map,
          kinds.map(({ kind }) => `names-${kind}`),
          isShown,
        );
        update();
      }
    },
    close() {
      map.off("moveend", update);
    },
  };
}

function dotIcon({ name, halo }: MapColours): ImageData {
  return mapIcon((pen) => {
    pen.arc(0, 0, 2, 0, 2 * Math.PI);
    pen.strokeStyle = halo;
    pen.lineWidth = 2;
    pen.stroke();
    pen.fillStyle = name;
    pen.fill();
  }, 8);
}
