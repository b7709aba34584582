import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { WordsWith } from "#lib/words/late.ts";
import { basinTitle } from "./basin-title.ts";
import type { DangerArea } from "./danger-area.ts";

export const notice = "Not for navigation";

/** Averaging period of a provider's winds, minutes. Winds of the two cannot be compared. */
export const averagingMinutes = { jtwc: 1, jma: 10 } as const;

/** Origin of the radii of a cone; empty for an entry without a cone. */
export function describeCone(entry: StormEntry, words: WordsWith<"stormCard">): string {
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
  { stormCard }: WordsWith<"stormCard">,
): string {
  const estimated = circles.some((circle) => circle.estimated);
  return stormCard.danger.rule({ thresholdKt, method, estimated });
}
