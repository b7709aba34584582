import { useEffect, useMemo, useState } from "react";
import { type Divider, openDivider } from "#components/map/divider.ts";
import { useField } from "#components/map/use-field.ts";
import { useManifest, useRefetchWhenGone } from "#components/map/use-manifest.ts";
import { coarsestOf } from "#components/map/view-plan.ts";
import type { Compared } from "#components/view-state/compared.ts";
import { paintedBy } from "#components/view-state/overlays.ts";
import { earlierRuns, earlierStepsAt, type StepPair, stepsAt } from "#components/view-state/timeline.ts";
import type { View } from "#components/view-state/view-url.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { layerOf, type PaintedName, paintedStatistic } from "#lib/catalog/painted.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { HOUR_S } from "#lib/time.ts";
import { OLD_FIELD_MS, useLasting, type WeatherAnswer } from "./use-weather-query.ts";

/** The difference of two pictures of one variable, B minus A, each at its own time. */
export interface Difference {
  variable: DrawnVariable;
  /** Frames of B. */
  pair: FramePair;
  /** Frames of A, which are subtracted. */
  base: FramePair;
}

/** The picture on the right of the divider, B. */
export interface CompareState {
  wanted: Compared;
  /** Time of the requested layer, Unix seconds; undefined until A has been drawn. */
  time: number | undefined;
  /** The drawn frames, which are the previous ones until the requested ones have arrived. */
  pair: FramePair | undefined;
  /**
   * Layer, time (Unix seconds) and steps of `pair`; `drawnTime` is undefined if it does not change with time.
   */
  drawn: PaintedName | undefined;
  drawnTime: number | undefined;
  steps: StepPair | undefined;
  /**
   * The drawn difference, where one is requested; undefined until the frames of both have arrived. It is that of the
   * previous request until those of the new one have.
   */
  difference: Difference | undefined;
  /** Models that forecast the layer, if there are several. */
  models: FieldManifest["models"];
  /** Base times of earlier runs of the model of B, newest first. */
  earlier: readonly string[];
  /** The drawn time, layer or difference is not the requested one, and has not been for a while. */
  old: boolean;
  /** Why nothing of the requested picture is drawn. */
  absent: "loading" | "outside" | "error" | undefined;
  settled: boolean;
  /** Reads it again after an error. */
  retry(): void;
  divider: Divider;
}

/**
 * Requests the second of two pictures. Its frames are read after those of the first one, and only while two
 * are shown.
 *
 * @param key API key; nothing is requested without one.
 * @param weather The first picture.
 */
export function useCompare(
  key: string | undefined,
  { c, cmp, l, model }: Pick<View, "c" | "cmp" | "l" | "model">,
  weather: WeatherAnswer,
  filmOpen: boolean,
): CompareState | undefined {
  const painted = paintedBy(l);
  // A statistic of an ensemble has no difference from another picture.
  const isAlone = painted !== undefined && paintedStatistic(painted) !== undefined;
  const hasDifference = cmp?.difference === true && isAlone;
  const asked = useMemo(
    () => (cmp && hasDifference ? { ...cmp, difference: undefined } : cmp),
    [cmp, hasDifference],
  );
  const wanted = filmOpen || !painted ? null : asked;
  const [divider] = useState(() => openDivider((cmp?.percent ?? 50) / 100));
  const percent = wanted?.percent;
  useEffect(() => {
    if (percent !== undefined) divider.move(percent / 100);
  }, [divider, percent]);
  // The time of A when it was last drawn, because a step of the time bar loads A first.
  const [first, setFirst] = useState<number>();
  const isFirstThere = weather.settled || weather.outside || weather.error !== undefined;
  if (wanted && isFirstThere && weather.time !== first) setFirst(weather.time);
  const time = wanted && first !== undefined ? first + wanted.hours * HOUR_S : undefined;
  // A difference is that of one layer.
  const layer = (wanted?.difference && painted ? layerOf(painted) : wanted?.layer) ?? "wind";
  const { manifest } = useManifest(
    time === undefined ? undefined : key,
    layer,
    time ?? null,
    wanted?.model ?? model,
    c,
    true,
  );
  const { data } = manifest;
  const { coarse, box } = weather;
  const back = wanted?.earlier;
  const steps = useMemo(() => {
    if (!data || time === undefined) return undefined;
    const found = back === undefined ? stepsAt(data, time) : earlierStepsAt(data, time, back);
    return found && coarse ? coarsestOf(found) : found;
  }, [data, time, back, coarse]);
  const earlier = useMemo(() => (data && time !== undefined ? earlierRuns(data, time) : []), [data, time]);
  const field = useField({ variable: layer, steps, around: none, box }, manifest.dataUpdatedAt);
  const { refetch } = manifest;
  useRefetchWhenGone(field.error, refetch);
  const pair = steps ? field.pair : undefined;
  const drawnSteps = pair && field.steps;
  const drawn = pair && (field.variable ?? layer);
  const drawnTime = drawnSteps && drawnSteps.run.dataset !== "Static" ? drawnSteps.time : undefined;
  const isFixed = drawnSteps?.run.dataset === "Static";
  const late = pair !== undefined && (drawn !== layer || (!isFixed && drawnTime !== time));
  const [difference, setDifference] = useState<Difference>();
  const isShown = wanted?.difference === true;
  const { pair: base, drawn: baseLayer, drawnTime: baseTime, drawnFixed } = weather;
  const isPaired =
    isShown &&
    drawnTime !== undefined &&
    baseTime !== undefined &&
    !drawnFixed &&
    drawn === baseLayer &&
    drawnTime - baseTime === wanted.hours * HOUR_S;
  if (isPaired && pair && base && drawn && (pair !== difference?.pair || base !== difference.base))
    setDifference({ variable: layerOf(drawn), pair, base });
  const old = useLasting(late || (difference !== undefined && !isPaired), OLD_FIELD_MS);
  const known = data !== undefined && !manifest.isPlaceholderData;
  const failed = Boolean(manifest.error ?? field.error);
  const isRead = steps !== undefined && field.settled;
  const absent = failed
    ? ("error" as const)
    : known && !steps && time !== undefined
      ? ("outside" as const)
      : pair && !late
        ? undefined
        : ("loading" as const);
  // A difference from before is not that of a picture that does not exist. Without the service the drawn one stays.
  const isGone = !isPaired && (absent === "error" || absent === "outside");
  if (difference && (!isShown || isGone)) setDifference(undefined);
  const settled = isRead || absent === "error" || absent === "outside";
  const { retry } = field;
  return useMemo(
    () =>
      wanted
        ? {
            wanted,
            time,
            pair,
            drawn,
            drawnTime,
            steps: drawnSteps,
            difference,
            models: data?.models,
            earlier,
            old,
            absent,
            settled,
            retry,
            divider,
          }
        : undefined,
    [
      wanted,
      time,
      pair,
      drawn,
      drawnTime,
      drawnSteps,
      difference,
      data?.models,
      earlier,
      old,
      absent,
      settled,
      retry,
      divider,
    ],
  );
}

/** Whether two compared pictures show the same time, so that what lies over both may be drawn. */
export function isOneTime(
  drawnTime: number | undefined,
  compare: Pick<CompareState, "drawnTime"> | undefined,
): boolean {
  return (compare?.drawnTime ?? drawnTime) === drawnTime;
}

const none: readonly StepPair[] = [];
