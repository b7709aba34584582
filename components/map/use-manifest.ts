import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { loadedSchemas, loadSchemas } from "#components/api-client/load-schemas.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { resolveShownTime, type ShownTime } from "#components/view-state/shown-time.ts";
import { windowMiddle, withinWindow } from "#components/view-state/time-window.ts";
import { answeredTime, offeredInstants } from "#components/view-state/timeline.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";

/**
 * What the map may draw, and when: the days around now, and those around the time of the view if that lies further back.
 *
 * @param key API key; nothing is requested without one.
 * @param shown Time of the view.
 */
export function useManifest(key: string | undefined, variable: string, shown: ShownTime | null) {
  const enabled = key !== undefined;
  const recent = useQuery({ ...manifestQuery(key ?? "", variable), enabled });
  const now = recent.data && parseInstant(recent.data.now);
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
  const clock = data && parseInstant(data.now);
  return {
    manifest,
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
      const { manifest } = await loadSchemas();
      const path = `/2DMetOcean/manifest?variable=${variable}&archive=spans`;
      return (
        parseReply(await readJson(await apiFetch(path, { key: key ?? "", signal })), manifest).archive ?? []
      );
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
    queryFn: async ({ signal }) => {
      const around = at === undefined ? "" : `&at=${formatInstant(at)}`;
      const reply = await apiFetch(`/2DMetOcean/manifest?variable=${variable}${around}`, { key, signal });
      const manifest = (await readJson(reply)) as FieldManifest;
      // The first field does not wait for the schemas: the first manifest comes from the server that has just sent this
      // page. Later ones may come from a newer server and are parsed.
      const schemas = loadedSchemas() ?? (Array.isArray(manifest?.runs) ? undefined : await loadSchemas());
      return schemas ? parseReply(manifest, schemas.manifest) : manifest;
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    // What failed without a network is requested again when it is back.
    refetchOnReconnect: "always",
    ...retryPolicy,
  });
