import type { Layer } from "@deck.gl/core";
import type { GeoJSONSource, GeoJSONSourceSpecification, Map as MapLibreMap } from "maplibre-gl";
import type { Words } from "#lib/messages/words.ts";
import type { Scene } from "./scene.ts";

/**
 * Groups of the style's layers, lowest first. A map layer adds to one of them and does not depend on the
 * others: a MapLibre layer by `map.addLayer(layer, endOf("labels"))`, a deck.gl layer, in a group of
 * `deckGroups`, by `beforeId: endOf("field")`.
 */
export const layerOrder = [
  "sea",
  "bathymetry",
  // Contains the land if colours cover it; otherwise the land is in `land`.
  "covered-land",
  "field",
  "isolines",
  "land",
  // Pictures of other services, below everything that is written or drawn with lines.
  "tiles",
  "names",
  "particles",
  "symbols",
  "storms",
  "labels",
  "graticule",
  "storm-names",
  "marks",
] as const;

type LayerGroup = (typeof layerOrder)[number];

/** Groups that contain deck.gl layers. */
export const deckGroups = ["bathymetry", "field", "symbols"] as const satisfies LayerGroup[];

/** Id of the invisible layer that ends a group; a layer inserted before it is the topmost of the group. */
export function endOf(group: LayerGroup): string {
  return `end-of-${group}`;
}

/** The map as its layers access it. */
export interface MapHost {
  map: MapLibreMap;
  /** Element of the map; its computed style has the tokens of the theme. */
  element: HTMLElement;
  /** Words of the page. */
  words: Words;
  /** Whether a pixel test runs; then nothing may fade, move by itself or be random. */
  probe: boolean;
  /** Keeps `data-idle` at "false" until the work has settled. */
  waitFor(work: Promise<unknown>): void;
  /**
   * Resolves when the first field is drawn, or when the map is idle and none is expected; deferred files load
   * then.
   */
  firstField: Promise<void>;
  /** Called by the layer that draws the field. */
  onFirstField(): void;
  /** Called when the tiles of an overlay cannot be read, and when they are read again or removed. */
  onTiles(id: string, answers: boolean): void;
  /**
   * Reads `layers` again, for layers whose deck.gl layers change without a new scene, for example when an
   * image has loaded.
   */
  redraw(): void;
}

/**
 * One thing that the map draws. To add one, write a function `(host) => MapLayer` in its own file and list it
 * in components/map/layers.ts.
 *
 * The function runs once per map, when the style is ready or, for deferred layers, after the first field. It
 * adds the MapLibre sources and layers. A lost graphics context opens another map, so nothing may outlive
 * `close`.
 */
export interface MapLayer<S extends Scene = Scene> {
  /**
   * Updates sources, layer properties and elements. Called once at the start, then for every new scene.
   *
   * @param last The previous scene; undefined at the first call. Compare by identity and update only what changed.
   */
  draw?(scene: S, last: S | undefined): void;
  /** deck.gl layers of the scene: new objects with stable ids, as deck.gl expects. Called often. */
  layers?(scene: S): Layer[];
  /**
   * Releases resources outside the map: workers, timers, window listeners. Layers and sources are removed
   * with the map.
   */
  close?(): void;
}

export type OpenMapLayer<S extends Scene = Scene> = (host: MapHost) => MapLayer<S>;

/** Layers that another feature adds to the map; `S` includes their part of the scene. */
export interface AddedLayers<S extends Scene> {
  /** Layers that open after the first field. */
  layers: readonly OpenMapLayer<S>[];
  /** Ids of the MapLibre layers whose shapes can be clicked, in order of precedence. */
  pickable: readonly string[];
}

/** Adds a GeoJSON source. @returns Function that sets its data; undefined empties it. */
export function addGeojson(map: MapLibreMap, id: string, options?: Partial<GeoJSONSourceSpecification>) {
  const none = { type: "FeatureCollection" as const, features: [] };
  map.addSource(id, { type: "geojson", data: none, ...options });
  let isEmpty = options?.data === undefined;
  return (data: GeoJSON.GeoJSON | string | undefined) => {
    // Setting the data of a source always rebuilds and redraws its tiles, even if it stays empty.
    const hasNothing = isNothing(data);
    if (hasNothing && isEmpty) return;
    isEmpty = hasNothing;
    void map.getSource<GeoJSONSource>(id)?.setData(data ?? none);
  };
}

function isNothing(data: GeoJSON.GeoJSON | string | undefined): boolean {
  if (typeof data === "string") return false;
  return !data || (data.type === "FeatureCollection" && data.features.length === 0);
}

/** Shows or hides MapLibre layers. */
export function showLayers(map: MapLibreMap, layers: readonly string[], shown: boolean): void {
  for (const layer of layers) map.setLayoutProperty(layer, "visibility", shown ? "visible" : "none");
}

/** Ids of the map layers for clicks on a plan; their shapes are larger than those drawn. */
export const PLAN_WAYPOINTS = "plan-waypoints-hit";
/** Middles of legs, which become waypoints when they are dragged. */
export const PLAN_MIDDLES = "plan-middles-hit";
export const PLAN_LEGS = "plan-legs-hit";
