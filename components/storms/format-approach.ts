import type { Zone } from "#components/view-state/civil.ts";
import { formatHour } from "#components/view-state/format-time.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { formatBearing } from "#lib/position.ts";
import type { ArrivalWindow, ClosestApproach } from "#lib/storms/approach.ts";

/** Times at the ends of what is looked at, seconds: a search finds the last instant to the second. */
const END_S = 60;

/** When the centre is nearest; where it is still coming nearer at the end of the forecast, that, and no time. */
export function formatApproach({ closest, from, until }: ClosestApproach, zone: Zone<"verdict">): string {
  const { km, bearing, semicircle } = closest;
  const { approach } = zone.words.verdict;
  const centre = { distance: formatMiles(km, zone.words), bearing: formatBearing(bearing), semicircle };
  return isLast(closest, until)
    ? approach.closing({ until: formatHour(until, zone), ...centre })
    : approach.closest({ when: formatWhen(closest, from, zone), ...centre });
}

/** How much room remains to its winds, or how far inside one may be. */
export function formatClearance(
  { minClearance, from, until }: ClosestApproach,
  threshold: number,
  zone: Zone<"verdict">,
): string {
  const { clearanceKm, estimated } = minClearance;
  const { approach } = zone.words.verdict;
  const when = formatWhen(minClearance, from, zone);
  const room = { distance: formatMiles(Math.abs(clearanceKm), zone.words), kt: threshold, estimated };
  if (clearanceKm <= 0) return approach.inside({ when, ...room });
  return isLast(minClearance, until)
    ? approach.shrinking({ until: formatHour(until, zone), ...room })
    : approach.clearance({ when, ...room });
}

/** Whether and when a wind arrives. @param until End of what is looked at, Unix seconds. */
export function formatArrival(
  { thresholdKt: kt, outlook, earliest, likely, latest, ends }: ArrivalWindow,
  until: number,
  zone: Zone<"verdict">,
): string {
  const { approach } = zone.words.verdict;
  if (outlook === "not forecast") return approach.notForecast({ kt });
  // Without radii to the end it is "not forecast", unless even the widest ones do not reach that far.
  if (outlook === "not expected") return approach.notExpected({ kt, until: formatHour(until, zone) });
  const hour = (name: keyof typeof approach.hours, time: number | null, towards?: "before" | "after") =>
    time === null ? [] : [approach.hours[name]({ when: formatHour(time, zone, towards) })];
  const hours = [
    approach.outlooks[outlook],
    ...hour("earliest", earliest, "before"),
    ...hour("likely", likely),
    ...hour("latest", latest, "after"),
    ...hour("over", ends, "after"),
  ];
  return approach.arrives({ kt, hours: hours.join(zone.words.ui.joins.clauses) });
}

/** Its hour; undefined for now: a storm that moves away is closest at once. @param from Beginning of what is looked at, Unix seconds. */
function formatWhen(approach: { time: number }, from: number, zone: Zone): string | undefined {
  return isFirst(approach, from) ? undefined : formatHour(approach.time, zone);
}

/** Whether it is at the beginning of what is looked at: from then on it is no nearer. */
export function isFirst({ time }: { time: number }, from: number): boolean {
  return time <= from + END_S;
}

/** Whether it is the end of the forecast that makes it the nearest or the least. */
export function isLast({ time }: { time: number }, until: number): boolean {
  return time >= until - END_S;
}
