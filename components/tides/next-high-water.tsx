import { useQuery } from "@tanstack/react-query";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { spanAround, tideQuery } from "#components/api-client/tide-queries.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { tideAt } from "#lib/tides/reading.ts";
import { valueStyle } from "./format-tide.ts";

/** The next high water of a station in a list of places, from the same prediction that its card requests. */
export function NextHighWater({ id }: { id: string }) {
  const key = useApiKey();
  const view = useView("u");
  const { time } = useClock("time");
  const zone = useZone("tides");
  const { data } = useQuery({
    ...tideQuery(key ?? "", id, spanAround(time ?? 0)),
    enabled: key !== undefined && time !== undefined,
    retry: false,
  });
  if (data?.kind !== "tide" || time === undefined) return null;
  const high = tideAt(data, time)?.next.find(({ type }) => type === "high");
  if (!high) return null;
  return (
    <span className="font-medium text-[0.8125rem] tabular-nums">
      {zone.words.tides.events.high} {formatShortTime(high.time, zone)}{" "}
      {valueStyle(data, view.u, zone.words).text(high.value)}
    </span>
  );
}
