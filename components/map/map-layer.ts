import type { Layer } from "@deck.gl/core";
import type { Map as MapLibreMap } from "maplibre-gl";
import type { Scene } from "./scene.ts";

/**
 * Heights of the drawing, lowest first. What a part draws goes into one of them, so that parts need not know each
 * other: a MapLibre layer by `map.addLayer(layer, within("labels"))`, a deck.gl layer, in one of `deckHeights`, by `beforeId: within("field")`.
 */
export const layerOrder = [
  "sea",
  "bathymetry",
  "field",
  "isolines",
  "land",
  "names",
  "particles",
  "symbols",
  "storms",
  "labels",
  "graticule",
  "storm-names",
  "marks",
] as const;

type Height = (typeof layerOrder)[number];

/** Those of them that deck.gl layers lie in. */
export const deckLayerOrder = ["bathymetry", "field", "symbols"] as const satisfies Height[];

/** Id of the invisible layer that closes a height: what is put before it lies within the height, above what was there. */
export function endOf(height: Height): string {
  return `end-of-${height}`;
}

/** What a part is given of the map. */
export interface MapHost {
  map: MapLibreMap;
  /** Element of the map, on which the tokens of the theme are in force. */
  element: HTMLElement;
  /** Opened for tests that read pixels: nothing may fade, move by itself or be random. */
  probe: boolean;
  /** Keeps `data-idle` "false" until the work is done. */
  waitFor(work: Promise<unknown>): void;
  /**
   * Resolves when the first field is drawn, or when none is awaited and the map has nothing else to do: then what the eye
   * can wait for is read.
   */
  firstField: Promise<void>;
  /** To be told by the part that draws it. */
  onFirstField(): void;
  /** Asks for `layers` again: for parts whose deck.gl layers change by themselves, as when an image was loaded. */
  redraw(): void;
}

/**
 * One thing that the map draws. To add a part, write a function `(host) => MapPart` in a file of its own and name it in
 * components/map/layers.ts.
 *
 * The function is called when the style is ready or, of later parts, after the first field, once for each map (also after
 * a lost graphics context, so that nothing of a part may outlive `close`). It adds the part's MapLibre sources and layers.
 */
export interface MapLayer {
  /**
   * Brings sources, layer properties and elements up to the scene. Called once at the start, then for every new scene.
   *
   * @param last The scene drawn before; undefined at the first. Compare by identity, to do only what changed.
   */
  draw?(scene: Scene, last: Scene | undefined): void;
  /** deck.gl layers of the scene, new objects with the same ids each time, as deck.gl wants them; called often. */
  layers?(scene: Scene): Layer[];
  /** Ends what is outside the map: workers, timers, listeners on the window. Layers and sources go with the map. */
  close?(): void;
}

export type OpenMapLayer = (host: MapHost) => MapLayer;

/** Shows or hides MapLibre layers. */
export function showLayers(map: MapLibreMap, layers: readonly string[], shown: boolean): void {
  for (const layer of layers) map.setLayoutProperty(layer, "visibility", shown ? "visible" : "none");
}
