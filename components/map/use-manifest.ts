import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { checkReply, readJson } from "#components/api-client/parse-reply.ts";
import { secondsSaved } from "#components/api-client/saved-replies.ts";
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
 * What the map may draw, and when: the days around now, and those around the time of the view if that lies further back.
 *
 * @param key API key; nothing is requested without one.
 * @param shown Time of the view.
 */
export function useManifest(key: string | undefined, variable: string, shown: ShownTime | null) {
  const enabled = key !== undefined;
  const recent = useQuery({ ...manifestQuery(key ?? "", variable), enabled });
  const now = manifestClock(recent);
  const time =
    now !== undefined && shown !== null ? answeredTime(resolveShownTime(shown, now), now) : undefined;
  const [last, setLast] = useState<number>();
  const middle = windowMiddle(last, time, now);
  if (middle !== last) setLast(middle);
  const manifest = useQuery({
    ...manifestQuery(key ?? "", variable, middle),
    enabled,
    // While other days load, those that are known stay.
    placeholderData: (last) => (last?.variable === variable ? last : undefined),
  });
  const { data } = manifest;
  const instants = useMemo(() => (data ? offeredInstants(data, middle) : []), [data, middle]);
  const clock = manifestClock(manifest);
  return {
    manifest,
    /** Weather clock, Unix seconds; undefined until it is known. */
    clock,
    /** Middle of the window of the past that the time is in, Unix seconds; undefined: it is among the days around now. */
    middle,
    /** Instants that can be shown, ascending, Unix seconds: those around now, and of that window. */
    instants,
    /** Those of the window, with some more on either side. */
    offered: useMemo(
      () => (clock === undefined ? [] : withinWindow(instants, clock, middle)),
      [instants, clock, middle],
    ),
  };
}

/**
 * Requests the manifest again when frames are gone: a newer run has replaced theirs, or their signed path has expired.
 *
 * @param error Why frames could not be read: a new object for each failure.
 */
export function useRefetchWhenGone(error: Error | undefined, refetch: () => unknown): void {
  useEffect(() => {
    if (error instanceof ServiceError && [404, 410].includes(error.status)) void refetch();
  }, [error, refetch]);
}

/**
 * The spans of time that the archive has runs of a variable for.
 *
 * @param isWanted Whether they are shown; else nothing is requested.
 */
export function useArchive(key: string | undefined, variable: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["archive", key, variable],
    queryFn: async ({ signal }) => {
      const path = `/2DMetOcean/manifest?variable=${variable}&archive=spans`;
      const manifest = await checkReply<FieldManifest>(
        await readJson(await apiFetch(path, { key: key ?? "", signal })),
        ({ runs }) => Array.isArray(runs),
        (schemas) => schemas.manifest,
      );
      return manifest.archive ?? [];
    },
    enabled: key !== undefined && isWanted,
    staleTime: 600_000,
    ...retryPolicy,
  });
}

/**
 * What the map may draw of a variable. Requested again every half minute, so that new runs appear.
 *
 * @param at An instant that must be drawable however far back, Unix seconds.
 */
const manifestQuery = (key: string, variable: string, at?: number) =>
  queryOptions({
    queryKey: ["manifest", key, variable, at],
    queryFn: async ({ signal }): Promise<ReadManifest> => {
      const reply = await apiFetch(manifestPath(variable, at), { key, signal });
      const manifest = await checkReply<FieldManifest>(
        await readJson(reply),
        ({ runs }) => Array.isArray(runs),
        ({ manifest }) => manifest,
      );
      return { ...manifest, secondsSaved: secondsSaved(reply, Date.now() / 1000) };
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    // What failed without a network is requested again when it is back.
    refetchOnReconnect: "always",
    ...retryPolicy,
  });

/** A manifest, and how long ago the device saved it, seconds: 0 for one that the service has just sent. */
type ReadManifest = FieldManifest & { secondsSaved: number };

/** What is known of the reading of a manifest: when it last succeeded and failed, ms since 1970; 0: never. */
interface Reading {
  data: ReadManifest | undefined;
  isPlaceholderData: boolean;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

/**
 * Weather clock, Unix seconds; undefined until it is known. It goes on where the service cannot be reached: what is saved
 * or left from before has the time of then, and a ship and its storms do not wait.
 */
export function manifestClock({
  data,
  isPlaceholderData,
  dataUpdatedAt,
  errorUpdatedAt,
}: Reading): number | undefined {
  if (!data) return undefined;
  // A placeholder is of another request, whose times are not known here.
  const lost = isPlaceholderData ? 0 : Math.max(0, errorUpdatedAt - dataUpdatedAt);
  return parseInstant(data.now) + data.secondsSaved + Math.round(lost / 1000);
}
