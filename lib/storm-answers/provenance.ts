import type { DangerArea } from "@open-metocean/storms/danger";
import type { StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import type { Words, WordsWith } from "#lib/messages/words.ts";

export const notice = "Not for navigation";

/** Averaging period of each provider's winds, minutes. Winds with different periods cannot be compared. */
export const averagingMinutes = { jtwc: 1, jma: 10 } as const;

/** Describes the origin of a cone's radii; empty for an entry without a cone. */
export function describeCone(entry: StormEntry, words: WordsWith<"stormCard">): string {
  if (!entry.cone) return "";
  const { source, source_basin, year } = entry.cone;
  const { cone } = words.stormCard;
  if (source === "jma") return cone.jma;
  const basin = source_basin === null ? undefined : basinTitle(source_basin, words);
  return cone.table({ year: year ?? "", missing: seasonWithoutTable(entry), basin });
}

/**
 * The season whose radii a cone should have but does not: NHC publishes them each spring, and they are
 * entered by hand. A southern season is named by the year in which it ends; until then the table of the
 * current year applies.
 *
 * @returns undefined if the cone has the right radii, or uses no table.
 */
export function seasonWithoutTable({ cone, tracks, year }: StormEntry): number | undefined {
  if (!cone?.year || !tracks.forecast) return undefined;
  const season = Math.min(year, new Date(tracks.forecast.issued_at * 1000).getUTCFullYear());
  return cone.year < season ? season : undefined;
}

/** Describes how a danger area is derived. */
export function describeDangerArea(
  { method, thresholdKt, isWindForecast, circles }: DangerArea,
  { stormCard }: WordsWith<"stormCard">,
): string {
  const estimated = circles.some((circle) => circle.estimated);
  return stormCard.danger.rule({ thresholdKt: isWindForecast ? thresholdKt : undefined, method, estimated });
}

/** Display name of a basin: `north_atlantic` gives `North Atlantic`. */
export function basinTitle(basin: string, { storms }: Words): string {
  const titles: Readonly<Record<string, string>> = storms.basins;
  if (Object.hasOwn(titles, basin)) return titles[basin]!;
  return basin
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** A class of the JMA's scale. */
interface JmaClass {
  /** Code as in JMA bulletins. */
  code: "TD" | "TS" | "STS" | "TY";
  /** Strength of a typhoon with a known wind. */
  strength?: "strong" | "veryStrong" | "violent";
}

/** Lowest 10-minute winds of the JMA's typhoon classes, kt, strongest first. */
const typhoons = [
  [105, "violent"],
  [85, "veryStrong"],
  [64, "strong"],
] as const;

const SEVERE_KT = 48;

/**
 * Class of a tropical cyclone by the JMA's own scale of 10-minute winds (RSMC Tokyo: TD, TS, STS, TY;
 * typhoons are strong from 64 kt, very strong from 85 kt, violent from 105 kt). The Saffir-Simpson scale uses
 * 1-minute winds and does not apply.
 *
 * @returns undefined if it is not a tropical cyclone, or its stage is unknown.
 */
export function jmaClass({ type, vmax_kt }: Pick<TrackPoint, "type" | "vmax_kt">): JmaClass | undefined {
  const wind = vmax_kt ?? Number.NaN;
  if (type === "HU") {
    const strength = typhoons.find(([least]) => wind >= least)?.[1];
    return strength ? { code: "TY", strength } : { code: "TY" };
  }
  if (type === "TS") return { code: wind >= SEVERE_KT ? "STS" : "TS" };
  return type === "TD" ? { code: "TD" } : undefined;
}
