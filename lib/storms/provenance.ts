import type { StormEntry } from "#lib/contract/storm-form.ts";
import { formatInstant } from "#lib/time.ts";
import { en, type Words } from "#lib/words/en.ts";
import { basinTitle } from "./basin-title.ts";
import type { DangerArea } from "./danger-area.ts";

export const notice = "Not for navigation";

/** Averaging period of a provider's winds, minutes. Winds of the two cannot be compared. */
export const averagingMinutes = { jtwc: 1, jma: 10 } as const;

const agencies = {
  jtwc: "Joint Typhoon Warning Center and National Hurricane Center",
  jma: "Japan Meteorological Agency",
} as const;

/** What a user of an exported file must know about it, in English; the first line names the storm. */
export function provenance(entry: StormEntry, danger?: DangerArea): string[] {
  const { provider, cone, tracks } = entry;
  const minutes = averagingMinutes[provider];
  return [
    `${entry.name ?? "Unnamed"} (${entry.id})`,
    `Provider: ${provider} (${agencies[provider]})`,
    `Winds: ${minutes}-minute means`,
    ...(tracks.forecast ? [`Forecast of ${formatInstant(tracks.forecast.issued_at)}`] : []),
    ...(cone ? [`Cone: ${describeCone(entry, en)}`] : []),
    ...(danger ? [`Danger area: ${describeDangerArea(danger, en)}`] : []),
    `Made ${formatInstant(entry.generated_at)}`,
    notice,
  ];
}

/** Origin of the radii of a cone; empty for an entry without a cone. */
export function describeCone(entry: StormEntry, words: Words): string {
  if (!entry.cone) return "";
  const { source, source_basin, year } = entry.cone;
  const { cone } = words.stormCard;
  if (source === "jma") return cone.jma;
  const basin = source_basin === null ? undefined : basinTitle(source_basin, words);
  return cone.table({ year, missing: seasonWithoutTable(entry), basin });
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
export function describeDangerArea(
  { method, thresholdKt, circles }: DangerArea,
  { stormCard }: Words,
): string {
  const estimated = circles.some((circle) => circle.estimated);
  return stormCard.danger.rule({ thresholdKt, method, estimated });
}
