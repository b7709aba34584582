import { useEffect, useMemo, useState } from "react";
import { refuseKey, useApiKey } from "#components/api-client/key-store.ts";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useField } from "#components/map/use-field.ts";
import { useManifest, useRefetchWhenGone } from "#components/map/use-manifest.ts";
import { useSecondaryField } from "#components/map/use-secondary-field.ts";
import { paintedBy } from "#components/view-state/layers.ts";
import { resolveShownTime } from "#components/view-state/shown-time.ts";
import { forecastStart, nearestIndex, stepsAround, stepsAt } from "#components/view-state/timeline.ts";
import type { View } from "#components/view-state/view-url.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { coversGlobe } from "#lib/field/grid.ts";
import { parseInstant } from "#lib/time.ts";

/** What the sea is shaded by where no colours lie over it. */
const RELIEF = "bathy";

/** Instants to either side of the one shown that are fetched ahead. */
const AHEAD = 3;

/** What the screen shows of the service: the answer to the view, or why there is none. */
export function useWeather(view: View) {
  const access = useApiKey();
  const key = access?.refused ? undefined : access?.key;
  const [attempt, setAttempt] = useState(0);

  const layer = paintedBy(view.l);
  // The plain map has the clock of what does not change with time either.
  const { manifest, instants } = useManifest(key, layer ?? RELIEF, view.t);
  const now = manifest.data ? parseInstant(manifest.data.now) : 0;
  const time = view.t === null ? instants[nearestIndex(instants, now)] : resolveShownTime(view.t, now);
  const steps = useMemo(
    () => (layer && manifest.data && time !== undefined ? stepsAt(manifest.data, time) : undefined),
    [layer, manifest.data, time],
  );
  const around = useMemo(
    () => (manifest.data && time !== undefined ? stepsAround(manifest.data, instants, time, AHEAD) : []),
    [manifest.data, instants, time],
  );
  const [box, setBox] = useState<ViewBox>();
  const field = useField({ variable: layer ?? RELIEF, steps, around, box }, manifest.dataUpdatedAt, attempt);

  const known = manifest.data !== undefined && !manifest.isPlaceholderData;
  /** Nothing of this kind is in the archive. */
  const empty = layer !== undefined && manifest.data?.runs.length === 0;
  /** The archive has it, but not at this time. */
  const outside = layer !== undefined && known && !empty && !steps;
  const pair = steps ? field.pair : undefined;
  // Where colours cover the earth, relief would be read and drawn for nothing.
  const bare = pair ? !coversGlobe(pair.before.grid) : !layer || empty || outside;
  const beside = { key, time, box, attempt };
  const relief = useSecondaryField(beside, RELIEF, bare && layer !== RELIEF);
  const isobars = useSecondaryField(beside, "pressure", view.o.includes("isobars") && view.l !== "pressure");
  const heights = useSecondaryField(beside, "wave", view.o.includes("heights") && view.l !== "wave");
  const lines = useMemo(() => [isobars, heights], [isobars, heights]);

  const error = manifest.error ?? field.error;
  const refused = error instanceof ServiceError && (error.status === 401 || error.status === 403);
  useEffect(() => {
    if (refused && key) refuseKey(key);
  }, [refused, key]);

  const { refetch } = manifest;
  useRefetchWhenGone(field.error, refetch);

  const loading =
    key !== undefined &&
    !error &&
    (manifest.isPending || manifest.isPlaceholderData || (steps !== undefined && !field.settled));
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
    forecastFrom: manifest.data?.fixed ? instants[0] : manifest.data && forecastStart(manifest.data),
    /** The layer does not change with time. */
    fixed: layer !== undefined && manifest.data?.fixed === true,
    /** Steps that answer at `time`. */
    steps,
    /** What is drawn: of the last steps that were read while the next are on their way. */
    pair,
    /** The layer that `pair` is of; undefined on the plain map. */
    drawn: pair ? (field.variable ?? layer) : layer,
    /** Depth under the colours, where they leave room for it. */
    relief,
    /** What is in view; undefined until the map is open. */
    box,
    onView: setBox,
    limitedUntil: field.limitedUntil,
    settled:
      (layer ? steps !== undefined && field.settled : known) &&
      [...lines, relief].every(({ settled }) => settled),
    /** Isobars and lines of wave height over another layer. */
    lines,
    loading,
    synthetic: manifest.data?.synthetic === true,
    empty,
    outside,
    error: refused ? undefined : (error ?? undefined),
    retry() {
      void refetch();
      setAttempt((last) => last + 1);
    },
  };
}

export type Weather = ReturnType<typeof useWeather>;
