import { useEffect, useMemo, useState } from "react";
import { useField } from "#components/map/use-field.ts";
import { useManifest } from "#components/map/use-manifest.ts";
import { instantOf } from "#components/time/shown-time.ts";
import { forecastStart, nearestIndex, stepsAround, stepsAt } from "#components/time/timeline.ts";
import { keyWasRefused, useApiKey } from "#components/view/api-key.ts";
import { ServiceError } from "#components/view/service.ts";
import type { View } from "#components/view/view-url.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";

/** Instants to either side of the one shown that are fetched ahead. */
const AHEAD = 3;

/** What the screen shows of the service: the answer to the view, or why there is none. */
export function useWeather(view: View) {
  const access = useApiKey();
  const key = access?.refused ? undefined : access?.key;
  const [attempt, setAttempt] = useState(0);

  const { manifest, instants } = useManifest(key, view.l, view.t);
  const now = manifest.data ? parseInstant(manifest.data.now) : 0;
  const time = view.t === null ? instants[nearestIndex(instants, now)] : instantOf(view.t, now);
  const steps = useMemo(
    () => (manifest.data && time !== undefined ? stepsAt(manifest.data, time) : undefined),
    [manifest.data, time],
  );
  const around = useMemo(
    () => (manifest.data && time !== undefined ? stepsAround(manifest.data, instants, time, AHEAD) : []),
    [manifest.data, instants, time],
  );
  const [box, setBox] = useState<ViewBox>();
  const field = useField({ variable: view.l, steps, around, box }, attempt);

  const error = manifest.error ?? field.error;
  const refused = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  useEffect(() => {
    if (refused && key) keyWasRefused(key);
  }, [refused, key]);

  // A newer run has taken the place of the one that is drawn, or the path to its frames has ended.
  const replaced = field.error instanceof ServiceError && [404, 410].includes(field.error.status);
  const { refetch } = manifest;
  useEffect(() => {
    if (replaced) void refetch();
  }, [replaced, refetch]);

  const loading =
    key !== undefined &&
    !error &&
    (manifest.isPending || manifest.isPlaceholderData || (steps !== undefined && !field.settled));
  const known = manifest.data !== undefined && !manifest.isPlaceholderData;
  return {
    access,
    key,
    /** Weather clock of the service, Unix seconds; 0 until it is known. */
    now,
    /** Instants that can be shown, ascending, Unix seconds. */
    instants,
    /** Time of the map, Unix seconds. */
    time,
    /** Where the forecast begins, Unix seconds; undefined where there is none. */
    forecastFrom: manifest.data && forecastStart(manifest.data),
    /** Steps that answer at `time`. */
    steps,
    /** What is drawn: of the last steps that were read while the next are on their way. */
    pair: steps ? field.pair : undefined,
    /** The layer that `pair` is of. */
    drawn: field.variable ?? view.l,
    /** What is in view; undefined until the map is open. */
    box,
    onView: setBox,
    limitedUntil: field.limitedUntil,
    settled: steps !== undefined && field.settled,
    loading,
    synthetic: manifest.data?.synthetic === true,
    /** Nothing of this kind is in the archive. */
    empty: manifest.data?.runs.length === 0,
    /** The archive has it, but not at this time. */
    outside: known && manifest.data.runs.length > 0 && !steps,
    error: refused ? undefined : (error ?? undefined),
    retry() {
      void refetch();
      setAttempt((last) => last + 1);
    },
  };
}

export type Weather = ReturnType<typeof useWeather>;
