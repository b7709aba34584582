import { unwrapped } from "@open-metocean/geo/ring";
import { type Likelihood, likelihoods } from "@open-metocean/storms/providers";
import type { StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import { toWire } from "@open-metocean/storms/wire";
import type { Feature, Geometry } from "geojson";
import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
} from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { ICON_RATIO, layersOf, paintLayers, setImages } from "#components/view-state/paint-map.ts";
import type { Words } from "#lib/messages/words.ts";
import type { FilmForecast, FilmFrame } from "#lib/storm-answers/film.ts";
import { APPROACH_LABEL, LABEL_EM, LABEL_GAP_EM, labelText, placeApproachLabel } from "./approach-label.ts";
import { shortAgency } from "./format-storm.ts";
import { type StormColours, stormIcon, stormIconNames } from "./storm-icons.ts";
import {
  type ComparedStorm,
  type DrawnApproach,
  STORM_LAYER,
  type StormScene,
  stormShapes,
} from "./storm-shapes.ts";
import type { FilmScene } from "./use-storm-film.ts";

const PATTERN = "danger";

/** The hatching of danger areas: amber with a casing, which makes it visible on every colour of a field. */
function dangerPattern({ danger, halo }: MapColours): [name: string, image: ImageData] {
  return [PATTERN, hatching(danger, 16, -1, { width: 1.3, casing: halo })];
}

/** Layers of the danger area, lowest first: hatching, edge with a casing, label along the edge. */
function dangerLayers(
  source: string,
  { danger, halo, ink }: MapColours,
  labelFont: string[],
): LayerSpecification[] {
  const { hatched, line, labels } = layersOf(source);
  return [
    hatched("storm-danger", "danger", PATTERN, 0.8),
    line("storm-danger-halo", "danger", halo, 6),
    line("storm-danger-line", "danger", danger, 3),
    labels("storm-danger-label", "danger", { ink, halo }, 2, {
      "symbol-placement": "line",
      "symbol-spacing": 420,
      "text-font": labelFont,
      "text-max-angle": 30,
      "text-padding": 4,
    }),
  ];
}

const SOURCE = "storms";

interface StormMap {
  map: MapLibreMap;
  /** Element with the colour tokens of the theme. */
  element: HTMLElement;
  labelFont: string[];
  /**
   * Ids of the map layers below which areas and lines are drawn, and below which symbols and labels are
   * drawn.
   */
  areasBefore: string;
  labelsBefore: string;
  /** Part of the map that a panel covers, CSS pixels. */
  covered(): { right: number; bottom: number };
}

interface Drawn {
  storms: StormScene | undefined;
  theme: string;
}

/** Draws areas where storms may form, and tracks, cones, winds and symbols of storms. */
export function stormsMapLayer({ map, element, labelFont, areasBefore, labelsBefore, covered }: StormMap) {
  const none = { type: "FeatureCollection" as const, features: [] };
  map.addSource(SOURCE, { type: "geojson", data: none });
  map.addSource(PEER_SOURCE, { type: "geojson", data: none });
  const setData = (source: string, data: GeoJSON.FeatureCollection) =>
    void map.getSource<GeoJSONSource>(source)?.setData(data);
  const film = filmLayer(map, (data) => setData(SOURCE, data));

  const paint = () => {
    const colours = mapColours(element);
    const icons = stormIconNames.map((name) => [name, stormIcon(name, colours)] as const);
    setImages(map, icons, ICON_RATIO);
    setImages(map, [...areaPatterns(colours), dangerPattern(colours)], PATTERN_RATIO);
    const layers = [
      ...areaLayers(SOURCE, colours),
      ...filmLayers(colours),
      ...peerLayers(colours, labelFont),
      ...dangerLayers(SOURCE, colours, labelFont),
      ...layersIn(colours, labelFont),
    ];
    paintLayers(map, layers, ({ type }) => (type === "symbol" ? labelsBefore : areasBefore));
  };

  let approach: DrawnApproach | undefined;
  const placeLabel = () => {
    if (approach) placeApproachLabel(map, approach, element, covered());
  };
  map.on("moveend", placeLabel);

  return {
    draw({ storms, theme }: Drawn, last: Drawn | undefined) {
      if (theme !== last?.theme) paint();
      if (storms === last?.storms) return;
      approach = storms?.approach;
      placeLabel();
      // While a film runs it draws the storm itself, independently of the scene.
      if (storms?.film !== last?.storms?.film) film.draw(storms?.film);
      if (!storms?.film) setData(SOURCE, storms ? stormShapes(storms) : none);
      if (storms?.peer !== last?.storms?.peer)
        setData(PEER_SOURCE, {
          ...none,
          features: storms?.peer ? peerShapes(storms.peer, storms.words) : [],
        });
    },
    close() {
      map.off("moveend", placeLabel);
      film.close();
    },
  };
}

const bySelection = (selected: number, other: number): ExpressionSpecification => [
  "case",
  ["get", "selected"],
  selected,
  other,
];

const either = (...kinds: string[]): ExpressionSpecification => ["in", ["get", "kind"], ["literal", kinds]];

function layersIn({ storm, ink, halo }: StormColours, labelFont: string[]): LayerSpecification[] {
  const { fill, line, dots, labels } = layersOf(SOURCE);
  const box = (estimated: ExpressionSpecification): ExpressionSpecification => [
    "all",
    ["==", ["get", "kind"], "box"],
    estimated,
  ];
  return [
    // The cone is filled with the halo's colour, because the storm's colour would be lost on the fields that storms
    // produce.
    fill("storm-cone", "cone", halo, bySelection(0.3, 0.2)),
    line("storm-cone-halo", "cone", halo, bySelection(5, 4)),
    line("storm-cone-line", "cone", storm, bySelection(2, 1.25)),
    fill("storm-radii", "radii", storm, bySelection(0.16, 0.1)),
    line("storm-radii-halo", "radii", halo, bySelection(4, 3)),
    line("storm-radii-line", "radii", storm, bySelection(1.25, 0.75)),
    line("storm-seas-line", "seas", storm, 1.25, { dashes: [1, 3] }),
    line("storm-box", box(["!", ["get", "estimated"]]), ink, 1.5),
    line("storm-box-estimated", box(["get", "estimated"]), ink, 1.5, { dashes: [2, 2] }),
    line("storm-halo", either("observed", "forecast"), halo, 6.5),
    line("storm-observed", "observed", storm, bySelection(2.5, 1.75)),
    line("storm-forecast", "forecast", storm, bySelection(2.5, 1.75), { dashes: [2, 2] }),
    dots("storm-dot", "dot", halo, storm, [4, 2]),
    labels("storm-dot-label", "dot", { ink, halo }, 1.5, {
      "text-font": labelFont,
      // Beside the dot, on the side that the ship's symbol and other labels leave free.
      "text-variable-anchor": ["left", "right", "top-left", "bottom-right", "top", "bottom"],
      "text-radial-offset": 0.8,
      "text-justify": "auto",
    }),
    line("storm-approach-halo", "approach", halo, 5),
    line("storm-approach", "approach", ink, 2, { dashes: [1, 1.5] }),
    dots("storm-approach-place", "approach-place", halo, ink, [4, 2]),
    labels(APPROACH_LABEL, "approach-place", { ink, halo }, 2, {
      "text-field": labelText("label"),
      "text-font": labelFont,
      "text-radial-offset": LABEL_GAP_EM,
      "text-justify": "auto",
      "text-max-width": LABEL_EM,
      "text-allow-overlap": true,
    }),
    labels(STORM_LAYER, "centre", { ink, halo }, 1.75, {
      "icon-image": ["get", "icon"],
      "icon-allow-overlap": true,
      "text-font": labelFont,
      "text-size": 13,
      "text-anchor": "top",
      "text-offset": [0, 1.2],
      "text-optional": true,
    }),
  ];
}

/** Dashes of the outlines, in line widths: dotted, dashed, solid. */
const outlineDashes: Readonly<Record<Likelihood, number[] | undefined>> = {
  low: [1, 2],
  medium: [4, 2],
  high: undefined,
};

/** Colour of a likelihood: the agencies' yellow, orange and red. */
function likelihoodColour(likelihood: Likelihood, colours: MapColours): string {
  return colours[`likely-${likelihood}`];
}

/** Name of the hatching of areas of a likelihood, and of the corridors of alerts. */
const patternOf = (kind: "area" | "alert", likelihood: Likelihood) => `${kind}-${likelihood}`;

/** Side of a hatching pattern, CSS pixels; it is drawn at twice the resolution. */
const SIDE = 16;
const PATTERN_RATIO = 2;

/** Spacing of the hatching's lines, CSS pixels; a higher likelihood has closer lines. */
const spacing: Readonly<Record<Likelihood, number>> = { low: 16, medium: 8, high: 16 / 3 };

/**
 * Hatching patterns by name. Lines of areas rise to the right and those of alert corridors fall, so that both
 * stay visible where they overlap.
 */
function areaPatterns(colours: MapColours): Map<string, ImageData> {
  return new Map(
    likelihoods.flatMap((likelihood) =>
      (["area", "alert"] as const).map(
        (kind) =>
          [
            patternOf(kind, likelihood),
            hatching(likelihoodColour(likelihood, colours), spacing[likelihood], kind === "area" ? 1 : -1),
          ] as const,
      ),
    ),
  );
}

/**
 * Parallel lines on a transparent square that repeats without a seam.
 *
 * @param gap Spacing of the lines across the square, CSS pixels; must divide its side.
 * @param sense 1 for lines that rise to the right, -1 for lines that fall.
 * @param line Width, CSS pixels, and the colour of the casing on both sides of each line.
 */
function hatching(
  colour: string,
  gap: number,
  sense: 1 | -1,
  { width, casing }: { width: number; casing?: string } = { width: 0.9 },
): ImageData {
  const canvas = document.createElement("canvas");
  const side = SIDE * PATTERN_RATIO;
  canvas.width = canvas.height = side;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("This browser draws no pictures");
  // Lines beyond the edges are drawn too, so that the pattern continues without a seam.
  for (let at = -2 * side; at <= 2 * side; at += gap * PATTERN_RATIO) {
    pen.moveTo(at, sense > 0 ? 2 * side : -side);
    pen.lineTo(at + 3 * side, sense > 0 ? -side : 2 * side);
  }
  if (casing) {
    pen.strokeStyle = casing;
    pen.lineWidth = (width + 1.2) * PATTERN_RATIO;
    pen.stroke();
  }
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.9;
  pen.lineWidth = width * PATTERN_RATIO;
  pen.stroke();
  return pen.getImageData(0, 0, side, side);
}

/** Layers of areas of interest and formation alerts, lowest first. */
function areaLayers(source: string, colours: MapColours): LayerSpecification[] {
  const { hatched, line } = layersOf(source);
  return (["area", "alert"] as const).flatMap((kind) =>
    likelihoods.flatMap((likelihood) => {
      const id = `storm-${kind}-${likelihood}`;
      const filter: ExpressionSpecification = [
        "all",
        ["==", ["get", "kind"], kind],
        ["==", ["get", "likelihood"], likelihood],
      ];
      const dashes = kind === "area" ? outlineDashes[likelihood] : [6, 1.5, 1.5, 1.5];
      return [
        hatched(id, filter, patternOf(kind, likelihood), 0.75),
        line(`${id}-halo`, filter, colours.halo, bySelection(5, 4)),
        line(`${id}-line`, filter, likelihoodColour(likelihood, colours), bySelection(3, 2), { dashes }),
      ];
    }),
  );
}

const FILM_SOURCE = "storm-film";

/**
 * The film of a storm. The forecasts of all bulletins are given to the map once; while the film runs only
 * their opacity changes, and the small source with the track so far.
 *
 * @param setStorms Sets the shapes of the source of storms.
 */
function filmLayer(map: MapLibreMap, setStorms: (data: GeoJSON.FeatureCollection) => void) {
  // Both shapes of a bulletin have its time as their id, so one feature state applies to both.
  map.addSource(FILM_SOURCE, { type: "geojson", data: collection([]), promoteId: "issued" });
  let close: (() => void) | undefined;

  const open = ({ film, clock, entry, words }: FilmScene) => {
    let shown: readonly FilmForecast[] = [];
    const draw = () => {
      const frame = film.at(clock.time);
      const entries = [filmEntry(entry, frame)];
      const scene = { entries, selected: entry.id, time: frame.time, danger: null, boxes: false, words };
      setStorms(stormShapes(scene));
      if (frame.forecasts === shown) return;
      for (const { issuedAt: id } of shown.slice(frame.forecasts.length))
        map.setFeatureState({ source: FILM_SOURCE, id }, { opacity: 0 });
      for (const { issuedAt: id, opacity } of frame.forecasts)
        map.setFeatureState({ source: FILM_SOURCE, id }, { opacity });
      shown = frame.forecasts;
    };
    map.removeFeatureState({ source: FILM_SOURCE });
    map
      .getSource<GeoJSONSource>(FILM_SOURCE)
      ?.setData(collection(filmShapes(film.at(film.ends).forecasts, words)));
    draw();
    return clock.subscribe(draw);
  };

  return {
    /** Draws a film until another one is drawn; undefined ends it. */
    draw(scene: FilmScene | undefined) {
      if (close && !scene) map.getSource<GeoJSONSource>(FILM_SOURCE)?.setData(collection([]));
      close?.();
      close = scene && open(scene);
    },
    close: () => close?.(),
  };
}

const collection = (features: GeoJSON.Feature[]) => ({ type: "FeatureCollection" as const, features });

/** Layers of the forecasts, lowest first. */
function filmLayers({ storm, halo }: StormColours): LayerSpecification[] {
  const { fill, line } = layersOf(FILM_SOURCE);
  const opacity: ExpressionSpecification = ["coalesce", ["feature-state", "opacity"], 0];
  /** The newest forecast must stand out among dozens that overlap. */
  const ifNewest = (newest: number, older: ExpressionSpecification | number): ExpressionSpecification => [
    "case",
    ["==", opacity, 1],
    newest,
    older,
  ];
  const cone = { "line-opacity": ifNewest(1, ["*", 0.5, opacity]) };
  const forecast = { "line-opacity": ifNewest(1, ["*", 0.7, opacity]), dashes: [2, 2] };
  return [
    fill("storm-film-cone", "film-cone", halo, ifNewest(0.2, ["*", 0.06, opacity, opacity])),
    line("storm-film-cone-halo", "film-cone", halo, ifNewest(4, 0), { "line-opacity": ifNewest(1, 0) }),
    line("storm-film-cone-line", "film-cone", storm, ifNewest(2, 1), cone),
    line("storm-film-halo", "film-forecast", halo, 5, { "line-opacity": ifNewest(1, 0) }),
    line("storm-film-forecast", "film-forecast", storm, ifNewest(2.5, 1.25), forecast),
  ];
}

interface FilmProperties {
  kind: "film-cone" | "film-forecast";
  /** Issue time of its bulletin, Unix seconds. */
  issued: number;
}

/**
 * The storm as drawn at a frame: the track so far, and the storm at its end with the winds of the last fix.
 */
export function filmEntry(last: StormEntry, frame: FilmFrame): StormEntry {
  const { cone: _cone, development: _development, formation_alert: _alert, ...entry } = last;
  return { ...entry, tracks: { observed: withTip(frame, last.tracks.observed.at(-1)?.time ?? 0) } };
}

/**
 * The fixes, followed by the position between two of them. @param ends Time of the last fix, after which the
 * storm stays in place.
 */
function withTip({ observed, time, place, vmaxKt }: FilmFrame, ends: number): TrackPoint[] {
  const fix = observed.at(-1);
  if (!fix || fix.time === time || time > ends) return [...observed];
  return [...observed, { ...fix, ...toWire(place), time, vmax_kt: vmaxKt }];
}

/**
 * Cones and tracks of forecasts, oldest first, without labels. Their opacity is a feature state of the map,
 * by `issued`.
 */
export function filmShapes(
  forecasts: readonly FilmForecast[],
  words: Words,
): Feature<Geometry, FilmProperties>[] {
  return forecasts.flatMap(({ issuedAt: issued, entry }) => {
    const { features } = stormShapes({
      entries: [entry],
      selected: null,
      time: issued,
      danger: null,
      boxes: false,
      words,
    });
    return features.flatMap(({ properties: { kind }, ...feature }) =>
      kind === "cone" || kind === "forecast"
        ? [{ ...feature, properties: { kind: `film-${kind}` as const, issued } }]
        : [],
    );
  });
}

const PEER_SOURCE = "storm-peer";

interface PeerProperties {
  kind: "peer-observed" | "peer-forecast" | "peer-between" | "peer-place";
  label?: string;
}

/**
 * The other provider's track, with a line between the two centres at each time at which both tracks have a
 * point.
 */
export function peerShapes(
  { entry, differences }: ComparedStorm,
  words: Words,
): Feature<Geometry, PeerProperties>[] {
  const scene = { entries: [entry], selected: null, time: 0, danger: null, boxes: false, words };
  const tracks = stormShapes(scene).features.flatMap(({ properties: { kind }, ...feature }) =>
    kind === "observed" || kind === "forecast"
      ? [{ ...feature, properties: { kind: `peer-${kind}` as const } }]
      : [],
  );
  const latest = entry.tracks.observed.at(-1);
  return [
    ...differences.flatMap(({ exact, jtwc, jma }): Feature<Geometry, PeerProperties>[] => {
      if (!exact) return [];
      const [one = 0, other = 0] = unwrapped([jtwc.longitude, jma.longitude]);
      const coordinates = [
        [one, jtwc.latitude],
        [other, jma.latitude],
      ];
      const mine = coordinates[entry.provider === "jtwc" ? 0 : 1] ?? [];
      return [
        {
          type: "Feature",
          geometry: { type: "LineString", coordinates },
          properties: { kind: "peer-between" },
        },
        {
          type: "Feature",
          geometry: { type: "Point", coordinates: mine },
          properties: { kind: "peer-place" },
        },
      ];
    }),
    ...tracks,
    ...(latest
      ? [
          {
            type: "Feature" as const,
            geometry: { type: "Point" as const, coordinates: [latest.lon, latest.lat] },
            properties: { kind: "peer-place" as const, label: shortAgency(entry.provider) },
          },
        ]
      : []),
  ];
}

/**
 * Layers of the other track, lowest first, in the colour of labels, so that the two tracks are not confused.
 */
function peerLayers({ ink, halo }: StormColours, labelFont: string[]): LayerSpecification[] {
  const { line, dots, labels } = layersOf(PEER_SOURCE);
  return [
    line("storm-peer-between", "peer-between", ink, 1),
    line("storm-peer-halo", either("peer-observed", "peer-forecast"), halo, 4),
    line("storm-peer-observed", "peer-observed", ink, 2),
    line("storm-peer-forecast", "peer-forecast", ink, 2, { dashes: [1, 1.5] }),
    dots("storm-peer-place", "peer-place", halo, ink, [2.5, 1.5]),
    labels("storm-peer-label", "peer-place", { ink, halo }, 1.5, {
      "text-field": ["coalesce", ["get", "label"], ""],
      "text-font": labelFont,
      "text-anchor": "right",
      "text-offset": [-1.6, 0],
      // The storm's own label is close to it, so overlap must be allowed.
      "text-allow-overlap": true,
    }),
  ];
}
