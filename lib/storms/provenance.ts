import type { StormEntry } from "#lib/contract/storm-form.ts";
import { formatInstant } from "#lib/time.ts";
import { basinTitle } from "./basin-title.ts";
import type { DangerArea } from "./danger-area.ts";

export const notice = "Not for navigation";

/** Averaging period of a provider's winds, minutes. Winds of the two cannot be compared. */
export const averagingMinutes = { jtwc: 1, jma: 10 } as const;

const agencies = {
  jtwc: "Joint Typhoon Warning Center and National Hurricane Center",
  jma: "Japan Meteorological Agency",
} as const;

/** What a user of an exported file must know about it; the first line names the storm. */
export function provenance(entry: StormEntry, danger?: DangerArea): string[] {
  const { provider, cone, tracks } = entry;
  const minutes = averagingMinutes[provider];
  return [
    `${entry.name ?? "Unnamed"} (${entry.id})`,
    `Provider: ${provider} (${agencies[provider]})`,
    `Winds: ${minutes}-minute means`,
    ...(tracks.forecast ? [`Forecast of ${formatInstant(tracks.forecast.issued_at)}`] : []),
    ...(cone ? [`Cone: ${describeCone(entry)}`] : []),
    ...(danger ? [`Danger area: ${describeDangerArea(danger)}`] : []),
    `Made ${formatInstant(entry.generated_at)}`,
    notice,
  ];
}

/** Origin of the radii of a cone; empty for an entry without a cone. */
export function describeCone(entry: StormEntry): string {
  if (!entry.cone) return "";
  const { source, source_basin, year } = entry.cone;
  if (source === "jma") return "JMA's own 70 % probability circles";
  const missing = seasonWithoutTable(entry);
  const table = `NHC's table of ${year}${missing ? ` (that of ${missing} is not known here yet)` : ""}`;
  const own = `${table}, two thirds of forecast errors`;
  return source_basin === null ? own : `${own}, borrowed from the ${basinTitle(source_basin)}`;
}

/**
 * The season whose radii a cone should have but has not: NHC publishes them each spring, and they are entered by hand. A
 * southern season is named by the year in which it ends; until then the table of the current year applies.
 *
 * @returns undefined if the cone has the right radii, or has no table.
 */
export function seasonWithoutTable({ cone, tracks, year }: StormEntry): number | undefined {
  if (!cone?.year || !tracks.forecast) return undefined;
  const season = Math.min(year, new Date(tracks.forecast.issued_at * 1000).getUTCFullYear());
  return cone.year < season ? season : undefined;
}

/** How a danger area is derived. */
export function describeDangerArea({ method, thresholdKt, circles }: DangerArea): string {
  const error = method === "classic" ? "100 n mi a day (1-2-3 rule)" : "the radius of the cone";
  const estimated = circles.some((circle) => circle.estimated) ? ", partly estimated" : "";
  return `reach of ${thresholdKt} kt${estimated} and ${error}, to 72 h`;
}
