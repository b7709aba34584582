import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { checkReply } from "#components/api-client/first-reply.ts";
import { readJson } from "#components/api-client/parse-reply.ts";
import { resolveShownTime, type ShownTime } from "#components/view-state/shown-time.ts";
import { answeredTime, dayToRequest, offeredInstants, timelineOf } from "#components/view-state/timeline.ts";
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
  const offered = useMemo(() => recent.data && timelineOf(recent.data), [recent.data]);
  const now = recent.data && parseInstant(recent.data.now);
  const time = now !== undefined && shown !== null ? answeredTime(resolveShownTime(shown, now), now) : null;
  const at = offered && dayToRequest(offered, time);
  const manifest = useQuery({
    ...manifestQuery(key ?? "", variable, at),
    enabled,
    // While other days load, those that are known stay.
    placeholderData: (last) => (last?.variable === variable ? last : undefined),
  });
  const { data } = manifest;
  const instants = useMemo(() => {
    return data ? offeredInstants(data, time) : [];
  }, [data, time]);
  return { manifest, instants };
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
      return checkReply<FieldManifest>(
        await readJson(reply),
        ({ runs }) => Array.isArray(runs),
        ({ manifest }) => manifest,
      );
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    // What failed without a network is requested again when it is back.
    refetchOnReconnect: "always",
    ...retryPolicy,
  });
