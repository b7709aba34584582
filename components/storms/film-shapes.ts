import type { Feature, Geometry } from "geojson";
import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import type { Words } from "#lib/messages/words.ts";
import type { FilmForecast, FilmFrame } from "#lib/storms/film.ts";
import { toWire } from "#lib/storms/wire.ts";
import { stormShapes } from "./storm-shapes.ts";

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
