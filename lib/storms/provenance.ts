import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { DangerArea } from "#lib/storms/danger-area.ts";
import { formatInstant } from "#lib/time.ts";

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
    ...(cone ? [`Cone: ${coneWords(cone)}`] : []),
    ...(danger ? [`Danger area: ${dangerWords(danger)}`] : []),
    `Made ${formatInstant(entry.generated_at)}`,
    notice,
  ];
}

/** Whose radii a cone is drawn with. */
export function coneWords({ source, source_basin, year }: NonNullable<StormEntry["cone"]>): string {
  if (source === "jma") return "JMA's own 70 % probability circles";
  const own = `NHC's table of ${year}, two thirds of forecast errors`;
  return source_basin === null ? own : `${own}, borrowed from ${source_basin.replaceAll("_", " ")}`;
}

/** How a danger area is made. */
export function dangerWords({ method, thresholdKt, circles }: DangerArea): string {
  const error = method === "classic" ? "100 n mi a day (1-2-3 rule)" : "the radius of the cone";
  const estimated = circles.some((circle) => circle.estimated) ? ", partly estimated" : "";
  return `reach of ${thresholdKt} kt${estimated} and ${error}, to 72 h`;
}
