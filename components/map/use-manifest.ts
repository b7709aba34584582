import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { resolveShownTime, type ShownTime } from "#components/view-state/shown-time.ts";
import { dayToRequest, hoursAround, timelineOf } from "#components/view-state/timeline.ts";
import { parseInstant } from "#lib/time.ts";
import { manifestQuery } from "./manifest-query.ts";

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
  const time = recent.data && shown !== null ? resolveShownTime(shown, parseInstant(recent.data.now)) : null;
  const at = offered && dayToRequest(offered, time);
  const manifest = useQuery({
    ...manifestQuery(key ?? "", variable, at),
    enabled,
    // While other days load, those that are known stay.
    placeholderData: (last) => (last?.variable === variable ? last : undefined),
  });
  const { data } = manifest;
  const instants = useMemo(() => {
    if (!data) return [];
    return data.fixed ? hoursAround(parseInstant(data.now), time) : timelineOf(data);
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
