import { useEffect, useMemo, useState } from "react";
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
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { coversGlobe } from "#lib/field/grid.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

/** Instants on either side of the current one that are prefetched. */
const PREFETCH = 3;

/** How long an old field may stay without being marked as such, ms: frames that are cached take less. */
export const OLD_FIELD_MS = 300;

/**
 * Requests the fields of the view: of the time of the open film, or else of the map's.
 *
 * @param key API key; nothing is requested without.
 * @param filmPlaying A film plays: no field is drawn, as it could not keep up with the storm.
 * @param stepping Step of the time bar, and whether the time plays.
 */
export function useWeatherQuery(
  key: string | undefined,
  view: View,
  filmPlaying: boolean,
  { stepHours, isPlaying }: { stepHours: StepHours; isPlaying: boolean },
) {
  const [attempt, setAttempt] = useState(0);

  const layer = paintedBy(view.l);
  // The plain map takes its clock from a static field.
  const shown = view.storm === null ? view.t : (view.film ?? view.t);
  const { manifest, clock, middle, instants, offered } = useManifest(key, layer ?? RELIEF, shown);
  // Of the time when the manifest was made: without the service the frames of later times are not there to be drawn.
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
  // Where coarse frames are enough to see the weather by, the fine ones come when somebody uses the page.
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
  const field = useField(wantedField, manifest.dataUpdatedAt, attempt);

  const known = manifest.data !== undefined && !manifest.isPlaceholderData;
  /** The archive has no run of the layer. */
  const empty = layer !== undefined && manifest.data?.runs.length === 0;
  /** The archive has runs of the layer, but not at this time. */
  const outside = layer !== undefined && known && !empty && !steps && !filmPlaying;
  const pair = steps ? field.pair : undefined;
  // Colours that cover the globe hide the relief.
  const bare = pair ? !coversGlobe(pair.before.grid) : !layer || empty || outside || filmPlaying;
  const beside = { key, time, box, ahead, attempt, stepHours };
  const relief = useSecondaryField(beside, RELIEF, bare && layer !== RELIEF);
  const isobars = useSecondaryField(beside, "pressure", view.o.includes("isobars") && view.l !== "pressure");
  const heights = useSecondaryField(beside, "wave", view.o.includes("heights") && view.l !== "wave");
  const drawn = pair ? (field.variable ?? layer) : layer;
  const drawnSteps = pair && field.steps;
  const drawnFixed = drawnSteps?.run.dataset === "Static";
  const standing = drawnSteps && !drawnFixed ? drawnSteps.time : time;
  // A film that plays leaves the time of the link behind.
  const drawnTime = filmPlaying ? undefined : standing;
  const late = pair !== undefined && (drawnTime !== time || drawn !== layer);
  // While it plays, the time bar too names the time that is drawn.
  const old = useLasting(late && !isPlaying, OLD_FIELD_MS);
  const lines = useMemo(
    () => [onlyOf(isobars, drawnTime), onlyOf(heights, drawnTime)],
    [isobars, heights, drawnTime],
  );

  const span = useMemo(() => windowOf(offered, middle, now), [offered, middle, now]);
  const segments = useMemo(
    () => (manifest.data ? segmentsOf(manifest.data, span, now) : []),
    [manifest.data, span, now],
  );

  const error = useStandingError(manifest) ?? field.error;
  const { refetch } = manifest;
  useRefetchWhenGone(field.error, refetch);

  const loading =
    key !== undefined &&
    !error &&
    (manifest.isPending || manifest.isPlaceholderData || (steps !== undefined && !field.settled));
  return {
    /** Weather clock of the service, Unix seconds; 0 until it is known. */
    now,
    /** The same when the service last answered; undefined until it has. */
    answered,
    /** Instants that can be shown without leaving the window of the time bar by more than a day, ascending, Unix seconds. */
    instants: offered,
    /** The instant nearest to now, Unix seconds; undefined where there is none. */
    present: instants[nearestIndex(instants, now)],
    /** What the time bar shows. */
    window: span,
    /** Its parts, by what answers. */
    segments,
    /** Time of the map, Unix seconds. */
    time,
    /** On which side the time of the link is beyond what the service answers for; `time` is the end there. */
    beyond: wanted === undefined || time === undefined || wanted === time ? undefined : sideOf(wanted, time),
    /**
     * Time of what is drawn, Unix seconds: an earlier `time` while new frames are on their way or cannot be read; undefined
     * while a film plays.
     */
    drawnTime,
    /** What is drawn is of another time or layer than the one wanted, and has been for a while. */
    old,
    /** The layer is static. */
    fixed: layer !== undefined && manifest.data?.fixed === true,
    /** Steps around `time`. */
    steps,
    /** Steps that `pair` is of. */
    drawnSteps,
    /** `pair` is of a static layer. */
    drawnFixed,
    /** How far the forecast of `pair` reaches so far, hours after its base time; undefined while that is not known. */
    reach:
      drawnSteps && manifest.data && drawn === layer ? reachHours(manifest.data, drawnSteps.run) : undefined,
    /** Frames that are drawn: the previous ones until those of `steps` have arrived. */
    pair,
    /** The layer that `pair` is of; undefined on the plain map. */
    drawn,
    /** Depth below the colours, where they do not cover the globe. */
    relief,
    /** Area in view; undefined until the map is open. */
    box,
    onView: setBox,
    /** Coarse frames are enough. */
    coarse,
    /** How often a retry was asked for. */
    attempt,
    limitedUntil: field.limitedUntil,
    settled:
      (layer ? steps !== undefined && field.settled : known) &&
      [...lines, relief].every(({ settled }) => settled),
    /** Isobars and lines of wave height over another layer. */
    lines,
    loading,
    synthetic: manifest.data?.synthetic === true,
    empty,
    /** A feed that is on brings what is missing. */
    awaited: manifest.data?.awaited === true,
    outside,
    error: error ?? undefined,
    retry() {
      void refetch();
      setAttempt((last) => last + 1);
    },
  };
}

/** Whether a time lies ahead of another one or before it. */
function sideOf(time: number, other: number): "ahead" | "past" {
  return time > other ? "ahead" : "past";
}

export type WeatherAnswer = ReturnType<typeof useWeatherQuery>;

interface DefaultTime {
  layer: LayerName;
  /** Unix seconds, as `now`. */
  time: number;
  /** Weather clock when it was taken. */
  now: number;
}

/**
 * The time of a map for which none was chosen, and the weather clock: they come from the first layer, and another layer
 * does not move them, nor does waiting for its manifest. After an hour they follow the layer that is shown.
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

/** The default time after an answer; the same object where nothing changed. */
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

/** Whether a condition has been true without interruption for a while. @param ms Length of the while. */
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
