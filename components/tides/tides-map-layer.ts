import { fromKnots } from "@open-metocean/geo/knots";
import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
} from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { ICON_RATIO, layersOf, mapIcon, paintLayers, setImages } from "#components/view-state/paint-map.ts";
import {
  currentLength,
  type Glyph,
  LENGTH_STEP,
  MAX_LENGTH,
  MIN_LENGTH,
  streamMark,
  svgPaths,
  tideMark,
} from "#lib/symbols/symbols.ts";
import { SLACK_KT } from "#lib/tides/limits.ts";
import { valueStyle } from "./format-tide.ts";
import { TIDE_LAYERS, TIDE_ZOOM, type TideScene } from "./tide-scene.ts";

const SOURCE = "tides";
const NAME = "tide-name";

/** The map on which stations are drawn. */
interface TideMap {
  map: MapLibreMap;
  /** Element with the colour tokens of the theme. */
  element: HTMLElement;
  labelFont: string[];
  /**
   * Ids of the map layers below which symbols are drawn, and below which the name under the pointer is drawn.
   */
  before: string;
  nameBefore: string;
}

interface Drawn {
  tides: TideScene | undefined;
  theme: string;
}

/**
 * Stations with the height of the tide, rising or falling, and tidal streams as arrows. Their names appear
 * under the pointer.
 */
export function tidesMapLayer({ map, element, labelFont, before, nameBefore }: TideMap) {
  const none = { type: "FeatureCollection" as const, features: [] };
  map.addSource(SOURCE, { type: "geojson", data: none });
  const paint = () => {
    const colours = mapColours(element);
    setImages(map, [...tideIcons(colours), plate(colours)], ICON_RATIO);
    paintLayers(map, layersIn(colours, labelFont), ({ id }) => (id === NAME ? nameBefore : before));
  };
  let opened: string | null = null;
  const name = (id: string) => map.setFilter(NAME, named([id, opened ?? ""]));
  let isListening = false;
  const listen = () => {
    map.on("mousemove", [...TIDE_LAYERS], ({ features }) => name(String(features?.[0]?.properties.id)));
    map.on("mouseleave", [...TIDE_LAYERS], () => name(""));
  };
  return {
    draw({ tides, theme }: Drawn, last: Drawn | undefined) {
      if (theme !== last?.theme) paint();
      if (!isListening) listen();
      isListening = true;
      if (tides === last?.tides) return;
      opened = tides?.opened ?? null;
      name("");
      if (tides?.stations !== last?.tides?.stations || tides?.units !== last?.tides?.units)
        void map.getSource<GeoJSONSource>(SOURCE)?.setData(tides ? tideShapes(tides) : none);
    },
  };
}

const STROKE = 1.7;
const HALO = 1.6;

const icons: Readonly<Record<string, Glyph>> = {
  "tide-rising": tideMark(1),
  "tide-falling": tideMark(-1),
  "tide-none": tideMark(0),
  "stream-0": streamMark(0),
  ...Object.fromEntries(
    Array.from({ length: (MAX_LENGTH - MIN_LENGTH) / LENGTH_STEP + 1 }, (_, step) => {
      const length = MIN_LENGTH + step * LENGTH_STEP;
      return [`stream-${length}`, streamMark(length)];
    }),
  ),
};

function tideIcons(colours: MapColours): [name: string, image: ImageData][] {
  return Object.entries(icons).map(([name, glyph]) => {
    const { strokes, filled } = svgPaths(glyph);
    const rings = new Path2D();
    for (const radius of glyph.rings) rings.arc(0, 0, radius, 0, 2 * Math.PI);
    const draw = (pen: CanvasRenderingContext2D) => {
      for (const [colour, more] of [
        [colours.halo, 2 * HALO],
        [colours.ink, 0],
      ] as const) {
        pen.strokeStyle = pen.fillStyle = colour;
        pen.lineWidth = STROKE + more;
        pen.stroke(new Path2D(strokes));
        pen.stroke(rings);
        if (more) pen.stroke(new Path2D(filled));
        pen.fill(new Path2D(filled));
      }
    };
    const points = [...glyph.lines, ...glyph.filled].flat(2);
    // The image is square, and its empty corners also keep other symbols away.
    const reach = Math.ceil(Math.max(...points.map(Math.abs), ...glyph.rings) + STROKE + HALO);
    return [name, mapIcon(draw, 2 * reach)];
  });
}

/** Background of a name; otherwise place names below it would be read as part of it. */
const PLATE = "tide-plate";

function plate({ halo }: MapColours): [name: string, image: ImageData] {
  const fill = (pen: CanvasRenderingContext2D) => {
    pen.fillStyle = halo;
    // The halo colour is translucent, so it is painted several times.
    for (let times = 0; times < 3; times++) pen.fillRect(-4, -4, 8, 8);
  };
  return [PLATE, mapIcon(fill, 8)];
}

/** Padding around a symbol. It is larger at low zooms, so that the map is not crowded. */
const room: ExpressionSpecification = ["interpolate", ["linear"], ["zoom"], TIDE_ZOOM, 16, 8, 9, 10, 1];

function layersIn({ ink, halo }: MapColours, labelFont: string[]): LayerSpecification[] {
  const { labels } = layersOf(SOURCE);
  const [tides, streams] = TIDE_LAYERS;
  const drawn = {
    "icon-image": ["get", "icon"] as ExpressionSpecification,
    "symbol-sort-key": ["get", "order"] as ExpressionSpecification,
    "icon-padding": room,
    "text-font": labelFont,
  };
  const name = labels(NAME, named([]), { ink, halo }, 2, {
    "text-field": ["get", "name"],
    "text-font": labelFont,
    "text-anchor": "bottom",
    "text-offset": [0, -1.2],
    "icon-image": PLATE,
    "icon-text-fit": "both",
    "icon-text-fit-padding": [1, 4, 1, 4],
    "icon-allow-overlap": true,
    "icon-ignore-placement": true,
    "text-allow-overlap": true,
    "text-ignore-placement": true,
  });
  return [
    labels(streams, "stream", { ink, halo }, 1.5, {
      ...drawn,
      "text-field": "",
      "icon-rotate": ["get", "direction"],
      "icon-rotation-alignment": "map",
    }),
    labels(tides, "tide", { ink, halo }, 1.5, {
      ...drawn,
      "text-padding": room,
      "text-anchor": "left",
      "text-offset": [0.75, 0],
    }),
    name,
  ].map((layer) => ({ ...layer, minzoom: TIDE_ZOOM - 0.1 }));
}

const named = (ids: string[]): ExpressionSpecification => ["in", ["get", "id"], ["literal", ids]];

const trends: Readonly<Record<number, string>> = { 1: "tide-rising", "-1": "tide-falling" };

/** Stations as points, in order of precedence for space (`order`). */
export function tideShapes({ stations, units, words }: Omit<TideScene, "opened">): GeoJSON.FeatureCollection {
  const { tides, streams } = stations;
  const height = valueStyle({ kind: "tide" }, units, words);
  const speed = valueStyle({ kind: "stream" }, units, words);
  const point = (
    of: typeof tides | typeof streams,
    order: number,
    properties: GeoJSON.GeoJsonProperties,
  ) => ({
    type: "Feature" as const,
    properties: { id: of.id[order], order, ...properties },
    geometry: { type: "Point" as const, coordinates: [of.longitude[order]!, of.latitude[order]!] },
  });
  const heights = tides.id.map((_, order) => {
    const metres = tides.height_m[order]!;
    return point(tides, order, {
      kind: "tide",
      icon: trends[tides.trend[order]!] ?? "tide-none",
      label: height.number(metres),
      name: `${tides.name[order]}\n${height.text(metres)}`,
    });
  });
  const arrows = streams.id.map((_, order) => {
    const knots = streams.speed_kt[order]!;
    return point(streams, order, {
      kind: "stream",
      icon: `stream-${knots < SLACK_KT ? 0 : currentLength(fromKnots(knots))}`,
      direction: streams.direction[order],
      name: `${streams.name[order]}\n${speed.text(knots)}`,
    });
  });
  return { type: "FeatureCollection", features: [...heights, ...arrows] };
}
