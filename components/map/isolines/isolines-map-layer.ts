import type { ViewBox } from "@open-metocean/geo/box";
import type { ExpressionSpecification, LayerSpecification, Map as MapLibreMap } from "maplibre-gl";
import { labelFont } from "#components/map/basemap.ts";
import { viewBoxOf } from "#components/map/map-events.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "#components/map/map-layer.ts";
import type { Scene } from "#components/map/scene.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import type { LinedVariable } from "#lib/catalog/colours.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { DrawnIsolines, IsolineView } from "./drawn-isolines.ts";
import { dashesOf, isolineStyleOf } from "./isoline-style.ts";
import type { IsolineReply, IsolineRequest } from "./isolines.worker.ts";

/** How long lines of the last step stay while those of the next are contoured, milliseconds. */
const MAX_OLD_MS = 200;

/**
 * Isolines of a variable, with highs and lows of pressure. They belong to the layer or lie over another one.
 */
export function isolinesMapLayer(host: MapHost, lined: LinedVariable): MapLayer {
  const { map } = host;
  const ids = idsOf(lined);
  const set = addSources(host, ids);
  let worker: Worker | undefined;
  let wanted: FramePair | undefined;
  let night = false;
  /** The source of the lines on the map, whether visible or hidden. */
  let contoured: LineSource | undefined;
  let running: { id: number; source: LineSource; done(): void } | undefined;
  let lastId = 0;
  /** Timer that removes lines of an outdated step. */
  let expiry: ReturnType<typeof setTimeout> | undefined;

  const show = (drawn: DrawnIsolines | undefined, source: LineSource | undefined) => {
    contoured = source;
    set.lines(drawn?.lines);
    set.labels(drawn?.labels);
    set.centres(drawn?.centres);
    expire();
  };
  const expire = () => {
    if (!contoured || !wanted || !isOtherStep(contoured.pair, wanted)) {
      clearTimeout(expiry);
      expiry = undefined;
    } else expiry ??= setTimeout(() => show(undefined, undefined), MAX_OLD_MS);
  };
  const finish = () => {
    running?.done();
    running = undefined;
  };
  /** Whether the lines on the map belong to the requested frames and suit the view. */
  const isCurrent = () =>
    contoured !== undefined &&
    wanted !== undefined &&
    isSamePair(contoured.pair, wanted) &&
    contoured.night === night &&
    suits(contoured.view, map);
  const onReply = ({ data }: MessageEvent<IsolineReply>) => {
    if (data.id === running?.id) end(data.drawn);
  };
  /** The worker's script could not be loaded, or the worker crashed. */
  const onWorkerError = ({ message }: ErrorEvent) => {
    worker?.terminate();
    worker = undefined;
    end(new Error(message || "The lines of the map could not be drawn: their script did not load"));
  };
  /** Ends the running request. If contouring failed there are no lines, and it is not repeated. */
  const end = (drawn: DrawnIsolines | Error) => {
    const failed = drawn instanceof Error;
    if (failed) reportError(drawn);
    // The result is dropped if another step has been requested in the meantime.
    if (running && wanted && !isOtherStep(running.source.pair, wanted))
      show(failed ? undefined : drawn, running.source);
    finish();
    update();
  };
  /**
   * Requests lines unless the current ones suit the view. There is one request at a time; the last one wins.
   */
  const update = () => {
    if (!wanted || running || isCurrent()) return;
    const style = isolineStyleOf(wanted.before, night, host.words);
    if (!style) return;
    if (!worker) {
      worker = new Worker(new URL("./isolines.worker.ts", import.meta.url), { type: "module" });
      worker.addEventListener("message", onReply);
      worker.addEventListener("error", onWorkerError);
    }
    const source = { pair: wanted, night, view: paddedView(map) };
    const id = ++lastId;
    host.waitFor(
      new Promise<void>((done) => {
        running = { id, source, done };
      }),
    );
    worker.postMessage({ id, pair: source.pair, set: style, view: source.view } satisfies IsolineRequest);
  };
  map.on("moveend", update);

  return {
    draw(scene, last) {
      if (scene.theme !== last?.theme) paint(host, ids, lined);
      night = scene.theme === "night";
      const before = wanted;
      wanted = isolinePair(scene, lined);
      if (!wanted && before) show(undefined, undefined);
      if (wanted && before && isOtherStep(wanted, before)) expire();
      update();
    },
    close() {
      map.off("moveend", update);
      clearTimeout(expiry);
      finish();
      worker?.terminate();
    },
  };
}

/** Input of contouring. */
interface LineSource {
  pair: FramePair;
  night: boolean;
  view: IsolineView;
}

/** The pair of frames from which the lines of a variable are drawn. */
function isolinePair({ symbols }: Scene, lined: LinedVariable): FramePair | undefined {
  return symbols.find(({ kind, variable }) => kind === "isolines" && variable === lined)?.pair;
}

/**
 * Whether two pairs belong to different steps. Between two steps lines move so little that they stay visible
 * while they are updated.
 */
function isOtherStep(a: FramePair, b: FramePair): boolean {
  return a.before.time !== b.before.time || a.after.time !== b.after.time;
}

function isSamePair(a: FramePair, b: FramePair): boolean {
  return a.before === b.before && a.after === b.after && a.later === b.later;
}

/** Ids of sources and layers. */
function idsOf(lined: LinedVariable) {
  return {
    halo: `${lined}-line-halo`,
    lines: `${lined}-lines`,
    labels: `${lined}-line-labels`,
    centres: `${lined}-centres`,
  };
}

type Ids = ReturnType<typeof idsOf>;

/** Below this zoom the whole Earth is contoured. */
const WHOLE_BELOW = 3.5;

function paddedView(map: MapLibreMap): IsolineView {
  const zoom = map.getZoom();
  return { box: zoom < WHOLE_BELOW ? undefined : boxOf(map, 0.4), pixelsPerDegree: (512 * 2 ** zoom) / 360 };
}

/** Whether lines contoured for a view still suit the current one. */
function suits({ box, pixelsPerDegree }: IsolineView, map: MapLibreMap): boolean {
  const now = paddedView(map);
  const zoomed = Math.abs(Math.log2(now.pixelsPerDegree / pixelsPerDegree));
  if (zoomed > 0.7) return false;
  if (!box) return true;
  const seen = boxOf(map, 0);
  return seen.west >= box.west && seen.east <= box.east && seen.south >= box.south && seen.north <= box.north;
}

/** The view, widened on each side by a fraction of its size. */
function boxOf(map: MapLibreMap, widened: number): ViewBox {
  const { west, east, south, north } = viewBoxOf(map);
  const [wide, high] = [(east - west) * widened, (north - south) * widened];
  return {
    west: west - wide,
    east: east + wide,
    south: Math.max(-90, south - high),
    north: Math.min(90, north + high),
  };
}

/** @returns Functions that set the data of the sources. */
function addSources({ map }: MapHost, ids: Ids) {
  return {
    lines: addGeojson(map, ids.lines, { tolerance: 0.1 }),
    labels: addGeojson(map, ids.labels),
    centres: addGeojson(map, ids.centres),
  };
}

function paint({ map, element, words }: MapHost, ids: Ids, lined: LinedVariable): void {
  const { halo, ink, high, low } = mapColours(element);
  const bold = (yes: number, no: number): ExpressionSpecification => ["case", ["get", "bold"], yes, no];
  const { line } = layersOf(ids.lines);
  const all: ExpressionSpecification = ["has", "bold"];
  const numbers = { "text-font": labelFont, "text-field": ["get", "text"] as ExpressionSpecification };
  const around = { "text-halo-color": halo, "text-halo-width": 2 };
  const layers: LayerSpecification[] = [
    line(ids.halo, all, halo, bold(4, 3.2), { "line-opacity": 0.45 }),
    line(ids.lines, all, ink, bold(1.8, 1.1), { dashes: dashesOf(lined) }),
    {
      id: ids.labels,
      type: "symbol",
      source: ids.labels,
      layout: {
        ...numbers,
        "symbol-placement": "line",
        "symbol-spacing": 220,
        "text-size": bold(13, 12),
        "text-padding": 4,
        "text-max-angle": 35,
      },
      paint: { "text-color": ink, ...around },
    },
    {
      id: ids.centres,
      type: "symbol",
      source: ids.centres,
      layout: {
        ...numbers,
        "text-field": [
          "format",
          ["match", ["get", "letter"], "H", words.map.high, words.map.low],
          { "font-scale": 1.8 },
          "\n",
          {},
          ["get", "text"],
          { "font-scale": 1 },
        ],
        "text-size": 13,
        "text-line-height": 1.1,
        "text-padding": 6,
        "symbol-sort-key": ["get", "rank"],
      },
      paint: { "text-color": ["match", ["get", "letter"], "H", high, low], ...around },
    },
  ];
  // Numbers lie above the arrows, so that no arrow crosses them.
  paintLayers(map, layers, ({ type }) => endOf(type === "line" ? "isolines" : "labels"));
}
