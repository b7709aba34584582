import { MapLibreOverlay } from "@deck.gl/maplibre";
import type { MultiPolygon } from "geojson";
import {
  type GeoJSONSource,
  Map as MapLibreMap,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import { basemapColours, basemapStyle, coastOf, LAND_LAYER } from "#components/map/basemap.ts";
import { FieldLayer, type FieldLayerOptions } from "#components/map/field-layer.ts";
import { probing } from "#components/map/probe.ts";
import type { Place } from "#components/view/view-url.ts";
import { colourScales, colourTable, type DrawnVariable, probeTable } from "#lib/catalog/colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { FramePair } from "#lib/field/sample.ts";

setWorkerUrl(new URL("maplibre-gl/dist/maplibre-gl-worker.mjs", import.meta.url).href);

/** What a person does on the map. */
export interface MapEvents {
  onMove(centre: Place, zoom: number): void;
  /** What is in view: when the map opens, and after every move and change of its size. */
  onView(box: ViewBox): void;
  onSample(latitude: number, longitude: number): void;
  /** The place under the cursor; undefined when it leaves the map. */
  onHover(place: Place | undefined): void;
  /** Steps in time asked for with `[` and `]`. */
  onStep(steps: number): void;
}

/** A map that is open. */
export interface OpenMap {
  drawField(pair: FramePair | undefined, variable: DrawnVariable): void;
  drawSample(place: Place | null): void;
  close(): void;
}

/**
 * Opens a map in an element: Mercator, north up, basemap below and above the field.
 *
 * `data-idle` of the element is "true" while nothing is being loaded or drawn.
 */
export function openMap(element: HTMLElement, centre: Place, zoom: number, events: MapEvents): OpenMap {
  const probe = probing();
  const land = basemap();
  const map = new MapLibreMap({
    container: element,
    style: basemapStyle(basemapColours(element)),
    center: [centre.longitude, centre.latitude],
    zoom,
    minZoom: 0.5,
    maxZoom: 12,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 0,
    canvasContextAttributes: { antialias: !probe, preserveDrawingBuffer: probe },
    locale: { "Map.Title": "Weather map" },
  });
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  map.addControl(new ScaleControl({ unit: "nautical" }), "top-right");
  const overlay = new MapLibreOverlay({ interleaved: true, layers: [] });
  map.addControl(overlay);
  listen(map, element, events);

  const probeColours = probe ? probeTable() : undefined;
  const tables = new Map<DrawnVariable, Uint8Array>();
  const coloursOf = (variable: DrawnVariable) => {
    const table = tables.get(variable) ?? probeColours ?? colourTable(colourScales[variable]);
    tables.set(variable, table);
    return table;
  };
  let ready = false;
  let field: FieldLayerOptions | undefined;
  let sample: Place | null = null;

  const showField = () => {
    if (!ready) return;
    overlay.setProps({ layers: field ? [new FieldLayer(field)] : [] });
    element.setAttribute("data-idle", "false");
    map.triggerRepaint();
  };
  const showSample = () => {
    if (!ready) return;
    const features = sample
      ? [{ type: "Point" as const, coordinates: [sample.longitude, sample.latitude] }]
      : [];
    source(map, "sample").setData({ type: "GeometryCollection", geometries: features });
  };
  map.on("load", () => {
    ready = true;
    showField();
    showSample();
    void drawBasemap(map, land);
  });
  map.on("idle", () => element.setAttribute("data-idle", "true"));
  map.on("dataloading", () => element.setAttribute("data-idle", "false"));
  map.on("movestart", () => element.setAttribute("data-idle", "false"));

  return {
    drawField(pair, variable) {
      const { range, paints } = colourScales[variable];
      field = pair && {
        id: "field",
        beforeId: LAND_LAYER,
        pair,
        colours: coloursOf(variable),
        range,
        paints,
        pickable: false,
        parameters: { depthCompare: "always", depthWriteEnabled: false },
      };
      showField();
    },
    drawSample(place) {
      sample = place;
      showSample();
    },
    close: () => map.remove(),
  };
}

function listen(map: MapLibreMap, element: HTMLElement, events: MapEvents): void {
  const tellView = () => events.onView(viewBox(map));
  tellView();
  map.on("resize", tellView);
  map.on("moveend", () => {
    tellView();
    const { lat, lng } = map.getCenter();
    events.onMove({ latitude: lat, longitude: ((((lng + 180) % 360) + 360) % 360) - 180 }, map.getZoom());
  });
  map.on("click", ({ lngLat }) => events.onSample(lngLat.lat, lngLat.lng));
  map.on("mousemove", ({ lngLat }) => events.onHover({ latitude: lngLat.lat, longitude: lngLat.lng }));
  map.on("mouseout", () => events.onHover(undefined));
  const canvas = map.getCanvas();
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-describedby", "map-keys");
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      const { lat, lng } = map.getCenter();
      events.onSample(lat, lng);
    } else if (event.key === "[" || event.key === "]") events.onStep(event.key === "[" ? -1 : 1);
    else return;
    event.preventDefault();
  });
  element.setAttribute("data-idle", "false");
}

function viewBox(map: MapLibreMap): ViewBox {
  const bounds = map.getBounds();
  return {
    south: bounds.getSouth(),
    north: bounds.getNorth(),
    west: bounds.getWest(),
    east: bounds.getEast(),
  };
}

interface Basemap {
  coarse: Promise<MultiPolygon>;
  fine: Promise<MultiPolygon>;
  borders: Promise<GeoJSON.GeoJSON>;
}

/** Begins to load the basemap. */
function basemap(): Basemap {
  const load = async <G>(name: string) => (await (await fetch(`/basemap/${name}.json`)).json()) as G;
  return { coarse: load("land-110m"), fine: load("land-50m"), borders: load("borders-50m") };
}

/** Small land first, for a quick first picture; then the fine one and the borders. */
async function drawBasemap(map: MapLibreMap, { coarse, fine, borders }: Basemap): Promise<void> {
  for (const resolution of [coarse, fine]) {
    const land = await resolution;
    source(map, "land").setData(land);
    source(map, "coast").setData(coastOf(land));
  }
  source(map, "borders").setData(await borders);
}

function source(map: MapLibreMap, name: string): GeoJSONSource {
  return map.getSource(name) as GeoJSONSource;
}
