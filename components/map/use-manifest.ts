import type { Place } from "@open-metocean/geo/sphere";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { apiFetch, isUnreachable, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { readManifest } from "#components/api-client/parse-reply.ts";
import {
  type AreaManifest,
  areaManifests,
  areaNear,
  countTimes,
  savedTimes,
} from "#components/api-client/saved-areas.ts";
import { isSaved, secondsSaved } from "#components/api-client/saved-replies.ts";
import { noteSaved } from "#components/api-client/send-request.ts";
import { windowMiddle, withinWindow } from "#components/view-state/time-window.ts";
import {
  answeredTime,
  offeredInstants,
  resolveShownTime,
  type ShownTime,
} from "#components/view-state/timeline.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { parseInstant } from "#lib/time.ts";
import { manifestPath } from "./manifest-path.ts";

/**
 * The runs and times that the map may draw: the days around now, and those around the displayed time if it
 * lies further back. Without the service they are those of an area that was saved on the device, if it has more times
 * than the frames that were saved as they were shown.
 *
 * @param key API key; nothing is requested without one.
 * @param shown Time of the view.
 * @param model Model that is shown alone; null for the source that stands first.
 * @param centre Centre of the map, near which an area is chosen.
 * @param earlier Whether earlier forecasts are listed too.
 */
export function useManifest(
  key: string | undefined,
  variable: string,
  shown: ShownTime | null,
  model: string | null,
  { latitude, longitude }: Place,
  earlier = false,
) {
  const enabled = key !== undefined;
  const select = useCallback(
    (read: ReadManifest) => shownManifest(read, { latitude, longitude }),
    [latitude, longitude],
  );
  const recent = useQuery({ ...manifestQuery(key ?? "", variable, model, earlier), enabled, select });
  const now = manifestClock(recent);
  const time =
    now !== undefined && shown !== null ? answeredTime(resolveShownTime(shown, now), now) : undefined;
  const [last, setLast] = useState<number>();
  const middle = windowMiddle(last, time, now);
  if (middle !== last) setLast(middle);
  const manifest = useQuery({
    ...manifestQuery(key ?? "", variable, model, earlier, middle),
    enabled,
    select,
    // The known days stay while others load.
    placeholderData: (last) => (last?.variable === variable && last.model === model ? last : undefined),
  });
  const { data } = manifest;
  const instants = useMemo(() => (data ? offeredInstants(data, middle) : []), [data, middle]);
  const clock = manifestClock(manifest);
  return {
    manifest,
    /** Weather clock, Unix seconds; undefined until it is known. */
    clock,
    /**
     * Middle of the past window that contains the displayed time, Unix seconds; undefined if it is among the
     * days around now.
     */
    middle,
    /** Instants that can be shown, ascending, Unix seconds: those around now and those in that window. */
    instants,
    /** Instants of the window, with some more on either side. */
    offered: useMemo(
      () => (clock === undefined ? [] : withinWindow(instants, clock, middle)),
      [instants, clock, middle],
    ),
  };
}

/**
 * Requests the manifest again when frames no longer exist, because a newer run has replaced theirs or their
 * signed path has expired.
 *
 * @param error Why frames could not be read: a new object for each failure.
 */
export function useRefetchWhenGone(error: Error | undefined, refetch: () => unknown): void {
  useEffect(() => {
    if (error instanceof ServiceError && [404, 410].includes(error.status)) void refetch();
  }, [error, refetch]);
}

/**
 * The time spans for which the archive has runs of a variable.
 *
 * @param isWanted Whether they are displayed; if not, nothing is requested.
 */
export function useArchive(key: string | undefined, variable: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["archive", key, variable],
    queryFn: async ({ signal }) => {
      const path = `/2DMetOcean/manifest?variable=${variable}&archive=spans`;
      const manifest = await readManifest(await apiFetch(path, { key: key ?? "", signal }));
      return manifest.archive ?? [];
    },
    enabled: key !== undefined && isWanted,
    staleTime: 600_000,
    ...retryPolicy,
  });
}

/**
 * The manifest of a variable. It is requested again every half minute, so that new runs appear.
 *
 * @param at An instant that must be drawable however long ago it was, Unix seconds.
 */
const manifestQuery = (key: string, variable: string, model: string | null, earlier: boolean, at?: number) =>
  queryOptions({
    queryKey: ["manifest", key, variable, model, earlier, at],
    queryFn: async ({ signal }): Promise<ReadManifest> => {
      const path = manifestPath(variable, at, model, earlier);
      // Areas are saved under the name of the manifest of the days around now.
      const areas = () => areaManifests(key, manifestPath(variable, undefined, model));
      try {
        const reply = await apiFetch(path, { key, signal });
        const manifest = await readManifest(reply);
        const read = { ...manifest, model, secondsSaved: secondsSaved(reply, Date.now() / 1000) };
        if (!isSaved(reply)) return read;
        const seen = await savedTimes(key, variable);
        return { ...read, areas: (await areas()).filter((area) => countTimes(area.manifest) > seen) };
      } catch (error) {
        const found = isUnreachable(error) ? await areas() : [];
        const [newest] = found;
        if (!newest) throw error;
        noteSaved(newest.area.at);
        return { ...newest.manifest, model, secondsSaved: 0, areas: found };
      }
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    // Requests that failed without a network are repeated when it is back.
    refetchOnReconnect: "always",
    ...retryPolicy,
  });

/**
 * A manifest, the model whose runs alone it lists, and how long ago the device saved it, seconds: 0 if the
 * service has just sent it.
 */
type ReadManifest = FieldManifest & {
  model: string | null;
  secondsSaved: number;
  /** Saved areas from which one is chosen, if the service cannot be reached. */
  areas?: AreaManifest[];
  /** The manifest is that of a saved area. */
  isArea?: boolean;
};

/** The manifest that is shown: that of a saved area, if there is one. */
function shownManifest(read: ReadManifest, centre: Place): ReadManifest {
  const chosen = areaNear(read.areas ?? [], centre);
  if (!chosen) return read;
  const { area, manifest } = chosen;
  const saved = Math.max(0, Math.round(Date.now() / 1000 - area.at));
  return { ...manifest, model: read.model, secondsSaved: saved, isArea: true };
}

/** State of reading a manifest: when it last succeeded and last failed, ms since 1970, or 0 for never. */
interface Reading {
  data: ReadManifest | undefined;
  isPlaceholderData: boolean;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

/**
 * Weather clock, Unix seconds; undefined until it is known. It continues while the service cannot be reached,
 * because a saved or earlier reply has the time at which it was sent, while a ship and its storms keep
 * moving.
 */
export function manifestClock({
  data,
  isPlaceholderData,
  dataUpdatedAt,
  errorUpdatedAt,
}: Reading): number | undefined {
  if (!data) return undefined;
  // A placeholder belongs to another request, whose times are not known here.
  const lost = isPlaceholderData ? 0 : Math.max(0, errorUpdatedAt - dataUpdatedAt);
  return parseInstant(data.now) + data.secondsSaved + Math.round(lost / 1000);
}
