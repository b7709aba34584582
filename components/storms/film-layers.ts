import type { Feature, Geometry } from "geojson";
import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
} from "maplibre-gl";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import type { Words } from "#lib/messages/words.ts";
import type { FilmForecast, FilmFrame } from "#lib/storms/film.ts";
import { toWire } from "#lib/storms/wire.ts";
import type { FilmScene } from "./film-clock.ts";
import type { StormColours } from "./storm-icons.ts";
import { stormShapes } from "./storm-shapes.ts";

const SOURCE = "storm-film";

/**
 * The film of a storm. The forecasts of all bulletins are given to the map once; while the film runs only their opacity
 * changes, and the short source with the track so far.
 *
 * @param setStorms Sets the shapes of the source of storms.
 */
export function filmLayer(map: MapLibreMap, setStorms: (data: GeoJSON.FeatureCollection) => void) {
  // Both shapes of a bulletin have its time as their id, so one state applies to both.
  map.addSource(SOURCE, { type: "geojson", data: collection([]), promoteId: "issued" });
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
        map.setFeatureState({ source: SOURCE, id }, { opacity: 0 });
      for (const { issuedAt: id, opacity } of frame.forecasts)
        map.setFeatureState({ source: SOURCE, id }, { opacity });
      shown = frame.forecasts;
    };
    map.removeFeatureState({ source: SOURCE });
    map
      .getSource<GeoJSONSource>(SOURCE)
      ?.setData(collection(filmShapes(film.at(film.ends).forecasts, words)));
    draw();
    return clock.subscribe(draw);
  };

  return {
    /** Draws a film until another one is drawn; undefined ends it. */
    draw(scene: FilmScene | undefined) {
      if (close && !scene) map.getSource<GeoJSONSource>(SOURCE)?.setData(collection([]));
      close?.();
      close = scene && open(scene);
    },
    close: () => close?.(),
  };
}

const collection = (features: GeoJSON.Feature[]) => ({ type: "FeatureCollection" as const, features });

/** Layers of the forecasts, lowest first. */
export function filmLayers({ storm, halo }: StormColours): LayerSpecification[] {
  const opacity: ExpressionSpecification = ["coalesce", ["feature-state", "opacity"], 0];
  const of = (kind: string): ExpressionSpecification => ["==", ["get", "kind"], kind];
  /** The newest stands out among dozens that cover each other. */
  const ifNewest = (newest: number, older: ExpressionSpecification | number): ExpressionSpecification => [
    "case",
    ["==", opacity, 1],
    newest,
    older,
  ];
  return [
    {
      id: "storm-film-cone",
      type: "fill",
      source: SOURCE,
      filter: of("film-cone"),
      paint: { "fill-color": storm, "fill-opacity": ifNewest(0.2, ["*", 0.06, opacity, opacity]) },
    },
    {
      id: "storm-film-cone-line",
      type: "line",
      source: SOURCE,
      filter: of("film-cone"),
      paint: {
        "line-color": storm,
        "line-opacity": ifNewest(1, ["*", 0.5, opacity]),
        "line-width": ifNewest(2, 1),
      },
    },
    {
      id: "storm-film-halo",
      type: "line",
      source: SOURCE,
      filter: of("film-forecast"),
      paint: { "line-color": halo, "line-opacity": ifNewest(1, 0), "line-width": 5 },
    },
    {
      id: "storm-film-forecast",
      type: "line",
      source: SOURCE,
      filter: of("film-forecast"),
      paint: {
        "line-color": storm,
        "line-opacity": ifNewest(1, ["*", 0.7, opacity]),
        "line-width": ifNewest(2.5, 1.25),
        "line-dasharray": [2, 2],
      },
    },
  ];
}

interface FilmProperties {
  kind: "film-cone" | "film-forecast";
  /** Bulletin it belongs to: when it was issued, Unix seconds. */
  issued: number;
}

/** The storm as it is drawn at a frame: the track so far, and the storm at its end with the winds of the last fix. */
export function filmEntry(last: StormEntry, frame: FilmFrame): StormEntry {
  const { cone: _cone, development: _development, formation_alert: _alert, ...entry } = last;
  return { ...entry, tracks: { observed: withTip(frame, last.tracks.observed.at(-1)?.time ?? 0) } };
}

/** The fixes, and the place between two of them. @param ends Time of the last fix: the storm stays there. */
function withTip({ observed, time, place, vmaxKt }: FilmFrame, ends: number): TrackPoint[] {
  const fix = observed.at(-1);
  if (!fix || fix.time === time || time > ends) return [...observed];
  return [...observed, { ...fix, ...toWire(place), time, vmax_kt: vmaxKt }];
}

/** Cones and tracks of forecasts, oldest first, without labels. Their opacity is a state of the map's features, by `issued`. */
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
