import type { ViewBox } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import { useCallback, useMemo } from "react";
import { type StepHours, timesAround } from "#components/view-state/time-window.ts";
import { type StepPair, stepsAt, stepsOf } from "#components/view-state/timeline.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { useField } from "./use-field.ts";
import { useManifest, useRefetchWhenGone } from "./use-manifest.ts";

/** A variable drawn in addition to the layer, at half a degree: as lines over it or as relief below it. */
export interface SecondaryField<V extends DrawnVariable = DrawnVariable> {
  variable: V;
  /** undefined if it is not shown, or not read yet. */
  pair: FramePair | undefined;
  /** Run of `pair`. */
  run: DrawableRun | undefined;
  /** Instant of `pair`, Unix seconds; undefined if the variable does not change with time. */
  time: number | undefined;
  /** No data of the variable is being loaded. */
  settled: boolean;
  /** Why there is no picture although the variable is switched on. */
  absent: "outside" | "error" | undefined;
  /** Reads it again after an error, if it is shown. */
  retry(): void;
}

/** Number of instants on either side of the displayed one that are prefetched. */
const PREFETCHED = 2;

/** Properties that all secondary fields share. */
interface SharedRequest {
  /** API key; nothing is requested without one. */
  key: string | undefined;
  /** Model that is shown alone; null for the source that stands first. */
  model: string | null;
  /** Centre of the map. */
  centre: Place;
  /** Time of the map, Unix seconds. */
  time: number | undefined;
  box: ViewBox | undefined;
  /** Whether the instants around are prefetched. */
  ahead: boolean;
  /** Interval of the time bar. */
  stepHours: StepHours;
}

/**
 * Frames of a secondary field.
 *
 * @param wanted Whether it is shown; if not, nothing is requested.
 */
export function useSecondaryField<V extends DrawnVariable>(
  { key, model, centre, time, box, ahead, stepHours }: SharedRequest,
  variable: V,
  wanted: boolean,
): SecondaryField<V> {
  const { manifest, offered } = useManifest(wanted ? key : undefined, variable, time ?? null, model, centre);
  const { data } = manifest;
  const steps = useMemo(() => {
    const found = wanted && data && time !== undefined ? stepsAt(data, time) : undefined;
    return found && withoutFine(found);
  }, [wanted, data, time]);
  const around = useMemo(
    () =>
      wanted && ahead && data && time !== undefined
        ? stepsOf(data, timesAround(offered, time, stepHours, PREFETCHED)).map(withoutFine)
        : [],
    [wanted, ahead, data, offered, time, stepHours],
  );
  const field = useField({ variable, steps, around, box }, manifest.dataUpdatedAt);
  const { refetch } = manifest;
  useRefetchWhenGone(field.error, refetch);
  const { retry: retryField } = field;
  const retry = useCallback(() => {
    if (!wanted) return;
    void refetch();
    retryField();
  }, [wanted, refetch, retryField]);
  const outside = wanted && data !== undefined && !manifest.isPlaceholderData && !steps;
  const failed = wanted && Boolean(manifest.error ?? field.error);
  const pair = steps ? field.pair : undefined;
  // These describe the drawn frames; those of the requested steps may still be loading.
  const run = pair && field.steps?.run;
  const drawnTime = run && run.dataset !== "Static" ? field.steps?.time : undefined;
  const settled = !wanted || outside || failed || field.settled;
  const absent = failed ? "error" : outside ? "outside" : undefined;
  // The object stays the same while nothing changes, because the map redraws for new objects only.
  return useMemo(
    () => ({ variable, pair, run, time: drawnTime, settled, absent, retry }),
    [variable, pair, run, drawnTime, settled, absent, retry],
  );
}

/**
 * Finest resolution that is read, degrees: lines are contoured at half a degree, and relief is a background.
 */
const FINEST = 0.4;

function withoutFine(steps: StepPair): StepPair {
  const { levels } = steps.run;
  const enough = levels.filter(({ grid }) => grid.latitude.step >= FINEST);
  return { ...steps, run: { ...steps.run, levels: enough.length > 0 ? enough : levels.slice(-1) } };
}

/**
 * A secondary field for a map of one time, without its frames if they have another time. Lines for six
 * o'clock must not lie over colours for three o'clock.
 *
 * @param time Time of the colours, Unix seconds.
 */
export function onlyOf<F extends Pick<SecondaryField, "pair" | "run" | "time">>(
  field: F,
  time: number | undefined,
): F {
  if (field.time === undefined || field.time === time) return field;
  return { ...field, pair: undefined, run: undefined };
}
