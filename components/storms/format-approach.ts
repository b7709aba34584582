import { formatHour } from "#components/view-state/format-time.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { formatBearing } from "#lib/position.ts";
import type { ArrivalWindow } from "#lib/storms/arrival-window.ts";
import type { ClosestApproach } from "#lib/storms/closest-approach.ts";
import { formatMiles } from "./format-storm.ts";

/** Times at the ends of what is looked at, seconds: a search finds the last instant to the second. */
const END_S = 60;

/** When the centre is nearest; where it is still coming nearer at the end of the forecast, that, and no time. */
export function formatApproach({ closest, from, until }: ClosestApproach, zone: Zone): string {
  const { km, bearing, semicircle } = closest;
  const side = semicircle === null ? "" : `, you are in the ${semicircle} semicircle`;
  const where = `${formatMiles(km)}, bearing ${formatBearing(bearing)}${side}`;
  return isLast(closest, until)
    ? `Its centre is still closing when the forecast ends (${formatHour(until, zone)}): ${where}.`
    : `Its centre is closest ${formatWhen(closest, from, zone)}: ${where}.`;
}

/** How much room remains to its winds, or how far inside one may be. */
export function formatClearance(
  { minClearance, from, until }: ClosestApproach,
  threshold: number,
  zone: Zone,
): string {
  const { clearanceKm, estimated } = minClearance;
  const hour = formatWhen(minClearance, from, zone);
  const how = `with ${threshold} kn winds${estimated ? " (their reach estimated)" : ""} and the error of the track taken off`;
  const when = isLast(minClearance, until)
    ? `when the forecast ends (${formatHour(until, zone)}), and still shrinking`
    : hour;
  return clearanceKm > 0
    ? `Least clearance ${formatMiles(clearanceKm)} ${when}, ${how}.`
    : `You may be inside by ${formatMiles(-clearanceKm)} ${hour}, ${how}.`;
}

/** Whether and when a wind arrives. @param until End of what is looked at, Unix seconds. */
export function formatArrival(
  { thresholdKt, outlook, earliest, likely, latest, ends }: ArrivalWindow,
  until: number,
  zone: Zone,
): string {
  const wind = `${thresholdKt} kn winds`;
  if (outlook === "not forecast") return `${wind}: their reach is not forecast`;
  // Without radii to the end it is "not forecast", unless even the widest ones do not reach that far.
  if (outlook === "not expected")
    return `${wind}: not expected before the forecast ends (${formatHour(until, zone)})`;
  const parts = [
    earliest === null ? undefined : `earliest ${formatHour(earliest, zone, "before")}`,
    likely === null ? undefined : `likely ${formatHour(likely, zone)}`,
    latest === null ? undefined : `latest ${formatHour(latest, zone, "after")}`,
    ends === null ? undefined : `over by ${formatHour(ends, zone, "after")}`,
  ].filter((part) => part !== undefined);
  return `${wind}: ${outlook}, ${parts.join(", ")}`;
}

/** Its hour, or `now`: a storm that moves away is closest at once. @param from Beginning of what is looked at, Unix seconds. */
function formatWhen(approach: { time: number }, from: number, zone: Zone): string {
  return isFirst(approach, from) ? "now" : formatHour(approach.time, zone);
}

/** Whether it is at the beginning of what is looked at: from then on it is no nearer. */
export function isFirst({ time }: { time: number }, from: number): boolean {
  return time <= from + END_S;
}

/** Whether it is the end of the forecast that makes it the nearest or the least. */
export function isLast({ time }: { time: number }, until: number): boolean {
  return time >= until - END_S;
}
