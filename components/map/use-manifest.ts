import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { manifestQuery } from "#components/map/manifest-query.ts";
import { instantOf, type ShownTime } from "#components/time/shown-time.ts";
import { dayToAsk, timeline } from "#components/time/timeline.ts";
import { parseInstant } from "#lib/time.ts";

/**
 * What the map may draw, and when: the days round now, and those round the time of the view where that lies further
 * back.
 *
 * @param key API key; nothing is asked without.
 * @param shown Time of the view.
 */
export function useManifest(key: string | undefined, variable: string, shown: ShownTime | null) {
  const asked = { enabled: key !== undefined };
  const recent = useQuery({ ...manifestQuery(key ?? "", variable), ...asked });
  const offered = useMemo(() => recent.data && timeline(recent.data), [recent.data]);
  const time = recent.data && shown !== null ? instantOf(shown, parseInstant(recent.data.now)) : null;
  const at = offered && dayToAsk(offered, time);
  const manifest = useQuery({
    ...manifestQuery(key ?? "", variable, at),
    ...asked,
    // While the next days are on their way, those that are known stay.
    placeholderData: (last) => (last?.variable === variable ? last : undefined),
  });
  const { data } = manifest;
  const instants = useMemo(() => (data ? timeline(data) : []), [data]);
  return { manifest, instants };
}
