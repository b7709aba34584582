import type { ViewBox } from "@open-metocean/geo/box";
import { coversGlobe } from "@open-metocean/geo/grid";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useStandingError } from "#components/api-client/standing-error.ts";
import { RELIEF } from "#components/map/manifest-path.ts";
import { useField } from "#components/map/use-field.ts";
import { useManifest, useRefetchWhenGone } from "#components/map/use-manifest.ts";
import { onlyOf, useSecondaryField } from "#components/map/use-secondary-field.ts";
import { COARSE_ZOOM, coarsestOf } from "#components/map/view-plan.ts";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { type LayerName, paintedBy } from "#components/view-state/overlays.ts";
import { type StepHours, segmentsOf, timesAround, windowOf } from "#components/view-state/time-window.ts";
import {
  answeredTime,
  nearestIndex,
  reachHours,
  resolveShownTime,
  stepsAt,
  stepsOf,
} from "#components/view-state/timeline.ts";
import { useInteracted } from "#components/view-state/use-browser.ts";
import type { View } from "#components/view-state/view-url.ts";
import { paintedStatistic } from "#lib/catalog/painted.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

/** Number of instants on either side of the current one that are prefetched. */
const PREFETCH = 3;

/** How long an old field may stay without being marked as such, ms; cached frames take less. */
export const OLD_FIELD_MS = 300;

/**
 * Requests the fields of the view, at the time of the open film or else of the map.
 *
 * @param key API key; nothing is requested without one.
 * @param filmPlaying A film is playing; no field is drawn, because it could not keep up with the storm.
 * @param stepping Interval of the time bar, and whether time is playing.
 */
export function useWeatherQuery(
  key: string | undefined,
  view: View,
  filmPlaying: boolean,
  { stepHours, isPlaying }: { stepHours: StepHours; isPlaying: boolean },
) {
  const layer = paintedBy(view.l);
  // Statistics are those of an ensemble, which is none of the models that a layer can show alone.
  const isModelled = layer !== undefined && !paintedStatistic(layer);
  // The plain map takes its clock from the manifest of a static field.
  const shown = view.storm === null ? view.t : (view.film ?? view.t);
  const { manifest, clock, middle, instants, offered } = useManifest(
    key,
    layer ?? RELIEF,
    shown,
    isModelled ? view.model : null,
    view.c,
  );
  // This is the time of the manifest: without the service, frames of later times cannot be read.
  const answered = manifest.data && parseInstant(manifest.data.now);
  const nearest = instants[nearestIndex(instants, answered ?? 0)];
  const { time: defaultTime, now } = useDefaultTime(view.l, nearest, clock);
  const wanted = shown === null ? undefined : resolveShownTime(shown, now);
  const time = wanted === undefined ? defaultTime : now > 0 ? answeredTime(wanted, now) : wanted;
  const steps = useMemo(
    () =>
      layer && manifest.data && time !== undefined && !filmPlaying ? stepsAt(manifest.data, time) : undefined,
    [layer, manifest.data, time, filmPlaying],
  );
  const interacted = useInteracted();
  const light = useDataUse() === "light";
  const ahead = interacted && !light;
  // If coarse frames suffice to see the weather, fine ones load after the first interaction.
  const coarse = light || (!interacted && view.z <= COARSE_ZOOM);
  const around = useMemo(
    () =>
      ahead && manifest.data && time !== undefined
        ? stepsOf(manifest.data, timesAround(offered, time, stepHours, PREFETCH, isPlaying))
        : [],
    [ahead, manifest.data, offered, time, stepHours, isPlaying],
  );
  const [box, setBox] = useState<ViewBox>();
  const read = useMemo(() => (steps && coarse ? coarsestOf(steps) : steps), [steps, coarse]);
  const wantedField = { variable: layer ?? RELIEF, steps: read, around, isPlaying, box };
  const field = useField(wantedField, manifest.dataUpdatedAt);

  const known = manifest.data !== undefined && !manifest.isPlaceholderData;
  /** The archive has no run of the layer. */
  const empty = layer !== undefined && manifest.data?.runs.length === 0;
  /** The archive has runs of the layer, but not at this time. */
  const outside = layer !== undefined && known && !empty && !steps && !filmPlaying;
  const pair = steps ? field.pair : undefined;
  // Colours that cover the whole globe hide the relief.
  const bare = pair ? !coversGlobe(pair.before.grid) : !layer || empty || outside || filmPlaying;
  const beside = { key, model: view.model, centre: view.c, time, box, ahead, stepHours };
  const relief = useSecondaryField({ ...beside, model: null }, RELIEF, bare && layer !== RELIEF);
  const isobars = useSecondaryField(beside, "pressure", view.o.includes("isobars") && view.l !== "pressure");
  const heights = useSecondaryField(beside, "wave", view.o.includes("heights") && view.l !== "wave");
  const drawn = pair ? (field.variable ?? layer) : layer;
  const drawnSteps = pair && field.steps;
  const drawnFixed = drawnSteps?.run.dataset === "Static";
  const standing = drawnSteps && !drawnFixed ? drawnSteps.time : time;
  // While a film plays, the map's time is not the time of the link.
  const drawnTime = filmPlaying ? undefined : standing;
  const late = pair !== undefined && (drawnTime !== time || drawn !== layer);
  // While time is playing, the time bar also names the drawn time.
  const old = useLasting(late && !isPlaying, OLD_FIELD_MS);
  const lines = useMemo(
    () => [onlyOf(isobars, drawnTime), onlyOf(heights, drawnTime)],
    [isobars, heights, drawnTime],
  );

  const isArea = manifest.data?.isArea === true;
  const span = useMemo(() => windowOf(offered, middle, now, isArea), [offered, middle, now, isArea]);
  const segments = useMemo(
    () => (manifest.data ? segmentsOf(manifest.data, span, now, isArea) : []),
    [manifest.data, span, now, isArea],
  );

  const statistics = useMemo(
    () => manifest.data?.ensembles?.flatMap((one) => one.statistics) ?? [],
    [manifest.data?.ensembles],
  );

  const error = useStandingError(manifest) ?? field.error;
  const { refetch } = manifest;
  useRefetchWhenGone(field.error, refetch);

  const { retry: retryField } = field;
  const [{ retry: retryRelief }, { retry: retryIsobars }, { retry: retryHeights }] = [
    relief,
    isobars,
    heights,
  ];
  const retry = useCallback(() => {
    void refetch();
    for (const again of [retryField, retryRelief, retryIsobars, retryHeights]) again();
  }, [refetch, retryField, retryRelief, retryIsobars, retryHeights]);

  const loading =
    key !== undefined &&
    !error &&
    (manifest.isPending || manifest.isPlaceholderData || (steps !== undefined && !field.settled));
  return {
    /** Weather clock of the service, Unix seconds; 0 until it is known. */
    now,
    /** The weather clock when the service last answered; undefined until it has. */
    answered,
    /** Instants that can be shown within a day of the time bar's window, ascending, Unix seconds. */
    instants: offered,
    /** The instant nearest to now, Unix seconds; undefined if there is none. */
    present: instants[nearestIndex(instants, now)],
    /** Time span of the time bar. */
    window: span,
    /** Segments of the time bar, by the dataset that answers. */
    segments,
    /** Time of the map, Unix seconds. */
    time,
    /**
     * On which side of the accepted times the time of the link lies, if outside; `time` is then the end of
     * them.
     */
    beyond: wanted === undefined || time === undefined || wanted === time ? undefined : sideOf(wanted, time),
    /**
     * Time of the drawn field, Unix seconds: an earlier `time` while new frames are loading or cannot be
     * read; undefined while a film plays.
     */
    drawnTime,
    /** The drawn time or layer differs from the requested one, and has for a while. */
    old,
    /** The layer is static. */
    fixed: layer !== undefined && manifest.data?.fixed === true,
    /** Steps around `time`. */
    steps,
    /** Steps of `pair`. */
    drawnSteps,
    /** `pair` belongs to a static layer. */
    drawnFixed,
    /** How far the forecast of `pair` reaches so far, hours after its base time; undefined if unknown. */
    reach:
      drawnSteps && manifest.data && drawn === layer ? reachHours(manifest.data, drawnSteps.run) : undefined,
    /** The drawn frames, which are the previous ones until those of `steps` have arrived. */
    pair,
    /** Layer of `pair`; undefined on the plain map. */
    drawn,
    /** Depth below the colours, if they do not cover the globe. */
    relief,
    /** Visible area; undefined until the map is open. */
    box,
    onView: setBox,
    /** Coarse frames suffice. */
    coarse,
    limitedUntil: field.limitedUntil,
    settled:
      (layer ? steps !== undefined && field.settled : known) &&
      [...lines, relief].every(({ settled }) => settled),
    /** Isobars and lines of wave height over another layer. */
    lines,
    loading,
    synthetic: manifest.data?.synthetic === true,
    /** How many members the statistic of `pair` stands on; undefined for other layers. */
    members: drawnSteps?.run.ensemble?.members.length,
    /** Statistics over the members of ensembles that the map can draw for the layer, by name. */
    statistics,
    /** Models that forecast the layer, if there are several. */
    models: (isModelled && manifest.data?.models) || none,
    empty,
    /** An active feed will provide what is missing. */
    awaited: manifest.data?.awaited === true,
    outside,
    error: error ?? undefined,
    retry,
  };
}

/** Whether a time lies after or before another one. */
function sideOf(time: number, other: number): "ahead" | "past" {
  return time > other ? "ahead" : "past";
}

export type WeatherAnswer = ReturnType<typeof useWeatherQuery>;

interface DefaultTime {
  layer: LayerName;
  /** Unix seconds, as `now`. */
  time: number;
  /** Weather clock at which the default time was determined. */
  now: number;
}

/**
 * The time of a map for which none was chosen, and the weather clock. Both come from the first layer;
 * changing the layer does not change them, nor does waiting for its manifest. After an hour they follow the
 * displayed layer.
 *
 * @param nearest Instant of the layer nearest to now, Unix seconds; undefined until its manifest is known.
 * @param now Weather clock of that manifest; undefined until it is known.
 */
function useDefaultTime(
  layer: LayerName,
  nearest: number | undefined,
  now: number | undefined,
): { time: number | undefined; now: number } {
  const [last, setLast] = useState<DefaultTime>();
  const next = nextDefault(last, layer, nearest, now);
  if (next !== last) setLast(next);
  return { time: next?.time, now: now ?? next?.now ?? 0 };
}

/** The default time after a new manifest; the same object if nothing changed. */
export function nextDefault(
  last: DefaultTime | undefined,
  layer: LayerName,
  nearest: number | undefined,
  now: number | undefined,
): DefaultTime | undefined {
  if (nearest === undefined || now === undefined) return last;
  if (last && last.layer !== layer && now - last.now < HOUR_S) return last;
  const same = last?.layer === layer && last.time === nearest && last.now === now;
  return same ? last : { layer, time: nearest, now };
}

/** Whether a condition has been true without interruption for a time. @param ms Length of that time. */
export function useLasting(condition: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [condition, ms]);
  return condition && lasts;
}

const none: NonNullable<FieldManifest["models"]> = [];
