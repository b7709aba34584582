import type { Quadrants, StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";
import { jmaClass } from "#lib/storms/jma-class.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import { en, type Words } from "#lib/words/en.ts";
import { formatNumber } from "#lib/words/number.ts";

type Named = Pick<StormEntry, "name" | "is_invest" | "id">;

/** Letter after the number of an invest, by the basin of its id. */
const investLetters: Readonly<Record<string, string>> = { AL: "L", EP: "E", CP: "C", WP: "W", SL: "Q" };

/** Short name of a storm: its name, or its kind and number. Decks write INVEST for a storm without a name. */
export function stormLabel({ name, is_invest, id }: Named): string {
  if (name && name !== "INVEST") return name;
  return is_invest ? `Invest ${id.slice(2, 4)}${investLetters[id.slice(0, 2)] ?? ""}` : id.slice(0, 4);
}

/** `stormLabel`, marked where the storm has no name. */
export function stormName(storm: Named): string {
  const label = stormLabel(storm);
  return label === storm.name ? label : `${label} (unnamed)`;
}

/** `JTWC/NHC`, `JMA`: short enough for a label. */
export function shortAgency(provider: StormEntry["provider"]): string {
  return provider === "jma" ? "JMA" : "JTWC/NHC";
}

const stages = {
  DB: "Disturbance",
  TD: "Tropical depression",
  TS: "Tropical storm",
  PT: "Post-tropical",
  LO: "Low",
} as const;

/** Name of the stage with winds of 64 kn and more, by the basin of a storm's id; elsewhere a tropical cyclone. */
const hurricaneNames: Readonly<Record<string, string>> = {
  AL: "Hurricane",
  EP: "Hurricane",
  CP: "Hurricane",
  WP: "Typhoon",
};

type Staged = Pick<TrackPoint, "type" | "category" | "vmax_kt">;

/** `Typhoon, category 3`; of the JMA its own class: `Typhoon, very strong`. */
export function formatStage(point: Staged, { id, provider }: Pick<StormEntry, "id" | "provider">): string {
  const { type, category } = point;
  const own = provider === "jma" ? jmaClass(point) : undefined;
  if (own) return own.title;
  if (type === null) return "Stage not stated";
  if (type !== "HU") return stages[type];
  const name = hurricaneNames[id.slice(0, 2)] ?? "Tropical cyclone";
  return category ? `${name}, category ${category}` : name;
}

/** `Cat. 3`, `TS`; of the JMA its own classes `TY`, `STS`. */
export function shortStage(point: Staged, { provider }: Pick<StormEntry, "provider">): string {
  if (provider === "jma") return jmaClass(point)?.code ?? point.type ?? "";
  // A typhoon without a wind has no category.
  return point.type === "HU" && point.category ? `Cat. ${point.category}` : (point.type ?? "");
}

/** `105 kn (1-minute mean)`. */
export function formatWind(
  { vmax_kt }: Pick<TrackPoint, "vmax_kt">,
  { provider }: Pick<StormEntry, "provider">,
): string {
  if (vmax_kt === null) return "not estimated yet";
  return `${Math.round(vmax_kt)} kn (${averagingMinutes[provider]}-minute mean)`;
}

/** `towards 296° at 11 kn`. */
export function formatMotion({
  heading_deg,
  speed_kmh,
}: Pick<TrackPoint, "heading_deg" | "speed_kmh">): string {
  if (heading_deg === null || speed_kmh === null) return "not known";
  const knots = Math.round(speed_kmh / MILE_KM);
  return knots === 0 ? "stationary" : `towards ${formatBearing(heading_deg)} at ${knots} kn`;
}

/** `76 n mi`. */
export function formatMiles(km: number, words: Words = en): string {
  const miles = km / MILE_KM;
  return `${formatNumber(miles, Math.abs(miles) < 10 ? 1 : 0, words.language)} n mi`;
}

/** `5 h old`, `2 d old`. */
export function formatBulletinAge(issued: number, now: number): string {
  const hours = Math.max(0, Math.round((now - issued) / 3600));
  return hours < 48 ? `${hours} h old` : `${Math.round(hours / 24)} d old`;
}

/** Ages from which a bulletin is late, and stale, hours. */
const LATE_H = 9;
const STALE_H = 15;

export function bulletinState(issued: number, now: number): "fresh" | "late" | "stale" {
  const hours = (now - issued) / 3600;
  return hours > STALE_H ? "stale" : hours > LATE_H ? "late" : "fresh";
}

/** Base time of a bulletin: of its forecast, or the last fix where it has none. */
export function issuedAt({ tracks }: Pick<StormEntry, "tracks">): number {
  return tracks.forecast?.issued_at ?? tracks.observed.at(-1)?.time ?? 0;
}

/** Radii by quadrant, n mi: `NE 120 SE 100`, `SW 80 NW 90`, or one number where all are equal. */
export function quadrantLines(radii: Quadrants | null): string[] {
  if (!radii) return ["not given"];
  const miles = (km: number | null) => (km === null ? "—" : String(Math.round(km / MILE_KM)));
  const { ne, se, sw, nw } = radii;
  if (ne === se && se === sw && sw === nw) return [ne === null ? "not given" : miles(ne)];
  return [`NE ${miles(ne)} SE ${miles(se)}`, `SW ${miles(sw)} NW ${miles(nw)}`];
}

/** What a master must know about the age of what is shown: bulletins that are missing, in words. */
export function ageWarnings(
  { is_active, is_overdue, bulletin_at, tracks }: StormEntry,
  now: number,
): string[] {
  if (!is_active) return [];
  const { forecast } = tracks;
  const warnings: string[] = [];
  if (forecast?.is_stale)
    warnings.push(
      `The forecast is ${formatBulletinAge(forecast.issued_at, now)}: newer bulletins are missing.`,
    );
  if (is_overdue && bulletin_at !== undefined) {
    const withdrawn = forecast ? "" : " An older forecast is not shown.";
    warnings.push(
      `The newest report of this storm is ${formatBulletinAge(bulletin_at, now)}: its source stands still or has left it out.${withdrawn}`,
    );
  }
  return warnings;
}
