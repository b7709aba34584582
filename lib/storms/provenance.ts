import type { StormEntry } from "#lib/contract/storm-form.ts";
import { formatInstant } from "#lib/time.ts";
import type { DangerArea } from "./danger-area.ts";

export const notice = "Not for navigation";

/** Minutes over which a provider's winds are means: the two are not comparable. */
export const averagingMinutes = { jtwc: 1, jma: 10 } as const;

const agencies = {
  jtwc: "Joint Typhoon Warning Center and National Hurricane Center",
  jma: "Japan Meteorological Agency",
} as const;

/** What anyone who holds an exported file must know of it, in words; the first line names the storm. */
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

/** Whose radii an entry's cone is drawn with; empty where it has none. */
export function describeCone(entry: StormEntry): string {
  if (!entry.cone) return "";
  const { source, source_basin, year } = entry.cone;
  if (source === "jma") return "JMA's own 70 % probability circles";
  const missing = seasonWithoutTable(entry);
  const table = `NHC's table of ${year}${missing ? ` (that of ${missing} is not known here yet)` : ""}`;
  const own = `${table}, two thirds of forecast errors`;
  return source_basin === null ? own : `${own}, borrowed from ${source_basin.replaceAll("_", " ")}`;
}

/**
 * The season whose radii a cone should have and has not: the agency publishes them each spring, and somebody has to enter
 * them. A southern season bears the year in which it ends, and until then the table is that of the year.
 *
 * @returns undefined where the cone has the right ones, or is not drawn by a table.
 */
export function seasonWithoutTable({ cone, tracks, year }: StormEntry): number | undefined {
  if (!cone?.year || !tracks.forecast) return undefined;
  const season = Math.min(year, new Date(tracks.forecast.issued_at * 1000).getUTCFullYear());
  return cone.year < season ? season : undefined;
}

/** How a danger area is made. */
export function describeDangerArea({ method, thresholdKt, circles }: DangerArea): string {
  const error = method === "classic" ? "100 n mi a day (1-2-3 rule)" : "the radius of the cone";
  const estimated = circles.some((circle) => circle.estimated) ? ", partly estimated" : "";
  return `reach of ${thresholdKt} kt${estimated} and ${error}, to 72 h`;
}
