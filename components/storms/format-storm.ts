import { MILE_KM } from "@open-metocean/geo/sphere";
import type { Likelihood } from "@open-metocean/storms/providers";
import type {
  Quadrants,
  StormArea,
  StormDevelopment,
  StormEntry,
  StormOutlook,
  TrackPoint,
} from "@open-metocean/storms/schema";
import { formatSpan } from "#components/view-state/format-time.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { formatNumber, inUnit } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { formatBearing } from "#lib/position.ts";
import { averagingMinutes, jmaClass } from "#lib/storm-answers/provenance.ts";

type Named = Pick<StormEntry, "name" | "is_invest" | "id">;

/** Letter after the number of an invest, by the basin in its id. */
const investLetters: Readonly<Record<string, string>> = { AL: "L", EP: "E", CP: "C", WP: "W", SL: "Q" };

/**
 * Short name of a storm: its name, or its kind and number, the same in every language. Decks write INVEST for
 * a storm without a name.
 */
export function stormLabel({ name, is_invest, id }: Named): string {
  if (name && name !== "INVEST") return name;
  return is_invest ? `Invest ${id.slice(2, 4)}${investLetters[id.slice(0, 2)] ?? ""}` : id.slice(0, 4);
}

/** `stormLabel`, with a note if the storm has no name. */
export function stormName(storm: Named, { storms }: Words): string {
  const label = stormLabel(storm);
  return label === storm.name ? label : storms.unnamed({ label });
}

/** Abbreviation that fits into a label: `JTWC/NHC`, `JMA`. */
export function shortAgency(provider: StormEntry["provider"]): string {
  return provider === "jma" ? "JMA" : "JTWC/NHC";
}

/**
 * Regional name of the stage with winds of 64 kn or more, by the basin in a storm's id; elsewhere it is a
 * tropical cyclone.
 */
const hurricaneNames: Readonly<Record<string, "hurricane" | "typhoon">> = {
  AL: "hurricane",
  EP: "hurricane",
  CP: "hurricane",
  WP: "typhoon",
};

type Staged = Pick<TrackPoint, "type" | "category" | "vmax_kt">;

/** Text such as `Typhoon, category 3`; for the JMA its own class: `Typhoon, very strong`. */
export function formatStage(
  point: Staged,
  { id, provider }: Pick<StormEntry, "id" | "provider">,
  { storms }: Words,
): string {
  const { type, category } = point;
  const own = provider === "jma" ? jmaClass(point) : undefined;
  if (own) return storms.jmaClasses[own.strength ?? own.code];
  if (type !== "HU") return storms.stages[type ?? "unknown"];
  const stage = storms.stages[hurricaneNames[id.slice(0, 2)] ?? "cyclone"];
  return category ? storms.category({ stage, category }) : stage;
}

/** Text such as `Cat. 3`, `TS`; for the JMA its own classes `TY`, `STS`. */
export function shortStage(
  point: Staged,
  { provider }: Pick<StormEntry, "provider">,
  { storms }: Words,
): string {
  if (provider === "jma") return jmaClass(point)?.code ?? point.type ?? "";
  // A typhoon without a stated wind has no category.
  return point.type === "HU" && point.category
    ? storms.shortCategory({ category: point.category })
    : (point.type ?? "");
}

/** Text such as `105 kn (1-minute mean)`. */
export function formatWind(
  { vmax_kt }: Pick<TrackPoint, "vmax_kt">,
  { provider }: Pick<StormEntry, "provider">,
  { storms }: Words,
): string {
  if (vmax_kt === null) return storms.notEstimated;
  return storms.wind({ knots: Math.round(vmax_kt), minutes: averagingMinutes[provider] });
}

/** Text such as `105 kn`, for places where the averaging period is stated elsewhere. */
export function formatKnots({ vmax_kt }: Pick<TrackPoint, "vmax_kt">, words: Words): string {
  if (vmax_kt === null) return words.storms.notEstimated;
  return inUnit(String(Math.round(vmax_kt)), words.catalog.units.kn.symbol, words);
}

/** Text such as `985 hPa`. */
export function formatPressure({ mslp_hpa }: Pick<TrackPoint, "mslp_hpa">, { storms }: Words): string {
  return mslp_hpa === null ? storms.notStated : `${mslp_hpa} hPa`;
}

type Motion = Pick<TrackPoint, "heading_deg" | "speed_kmh">;

/** Text such as `towards 296° at 11 kn`: a value beside the label "Moving". */
export function formatMotion(motion: Motion, { storms }: Words): string {
  return motionIn(motion, storms.motion);
}

/** Text such as `Moving towards 296° at 11 kn`. */
export function formatMoving(motion: Motion, { storms }: Words): string {
  return motionIn(motion, storms.moving);
}

function motionIn(
  { heading_deg, speed_kmh }: Motion,
  { towards, stationary, unknown }: Messages["storms"]["motion"],
): string {
  if (heading_deg === null || speed_kmh === null) return unknown;
  const knots = Math.round(speed_kmh / MILE_KM);
  return knots === 0 ? stationary : towards({ bearing: formatBearing(heading_deg), knots });
}

/** Age of a bulletin: `5 h`, `2 d`. Times are Unix seconds. */
export function bulletinSpan(issued: number, now: number, words: Words): string {
  return formatSpan(Math.max(0, now - issued), words);
}

/** Ages from which a bulletin counts as late, and as stale, hours. */
const LATE_H = 9;
const STALE_H = 15;

export function bulletinState(issued: number, now: number): "fresh" | "late" | "stale" {
  const hours = (now - issued) / 3600;
  return hours > STALE_H ? "stale" : hours > LATE_H ? "late" : "fresh";
}

/** Base time of a bulletin: that of its forecast, or the last fix if there is none. */
export function issuedAt({ tracks }: Pick<StormEntry, "tracks">): number {
  return tracks.forecast?.issued_at ?? tracks.observed.at(-1)?.time ?? 0;
}

/** Radii by quadrant, n mi: `NE 120 SE 100`, `SW 80 NW 90`, or a single number if all are equal. */
export function quadrantLines(radii: Quadrants | null, { storms, language }: Words): string[] {
  if (!radii) return [storms.notGiven];
  const miles = (km: number | null) => (km === null ? "—" : formatNumber(km / MILE_KM, 0, language));
  const { ne, se, sw, nw } = radii;
  if (ne === se && se === sw && sw === nw) return [ne === null ? storms.notGiven : miles(ne)];
  const { east, west } = storms.quadrants;
  return [east({ ne: miles(ne), se: miles(se) }), west({ sw: miles(sw), nw: miles(nw) })];
}

/** Warnings about the age of the displayed bulletin, including missing ones. */
export function ageWarnings(
  { is_active, is_overdue, bulletin_at, tracks }: StormEntry,
  now: number,
  words: Words,
): string[] {
  if (!is_active) return [];
  const { forecast } = tracks;
  const { staleForecast, overdue } = words.storms;
  const warnings: string[] = [];
  if (forecast?.is_stale)
    warnings.push(staleForecast({ span: bulletinSpan(forecast.issued_at, now, words) }));
  if (is_overdue && bulletin_at !== undefined)
    warnings.push(overdue({ span: bulletinSpan(bulletin_at, now, words), hidden: !forecast }));
  return warnings;
}

/** An area together with the properties of its outlook. */
export type AreaOfInterest = StormArea & Pick<StormOutlook, "agency" | "issued_at" | "valid_until">;

type Chance = Omit<StormDevelopment, "issued_at">;

export const agencyNames = { jtwc: "JTWC", nhc: "NHC", cphc: "CPHC" } as const;

/** Text such as `Central Tropical Atlantic (Invest 95L)`, `Invest 92W`, `Disturbance without a number`. */
export function areaName(
  { name, designation }: Pick<StormArea, "name" | "designation">,
  { storms }: Words,
): string {
  const invest = designation === null ? null : `Invest ${designation}`;
  if (name === null) return invest ?? storms.areas.nameless;
  return invest === null ? name : storms.areas.name({ name, invest });
}

/** Text such as `High likelihood: 50 % in 48 h, 80 % in 7 days`, `Medium likelihood within 24 h`. */
export function formatChance(chance: Chance, words: Words): string {
  const { likelihood, percent_48h: in48Hours, percent_7d: in7Days } = chance;
  const { areas } = words.storms;
  const stated = [
    ...(in48Hours === null ? [] : [areas.in48Hours({ percent: in48Hours })]),
    ...(in7Days === null ? [] : [areas.in7Days({ percent: in7Days })]),
  ];
  return stated.length > 0
    ? areas.chance({ likelihood, stated: stated.join(words.ui.joins.clauses) })
    : areas.chanceWithin({ likelihood, within: span(chance, words) });
}

/** A short form for one line on the map: `High: 80 % in 7 days`, `Medium within 24 h`. */
export function formatChanceLabel(chance: Chance, words: Words): string {
  const { likelihood, percent_7d: in7Days } = chance;
  return words.storms.areas.chanceLabel({ likelihood, in7Days, within: span(chance, words) });
}

function span({ within_hours }: Chance, { dates, storms }: Words): string {
  return within_hours > 48
    ? storms.days({ count: Math.round(within_hours / 24) })
    : dates.hours({ count: within_hours });
}

/** Text such as `20 to 25 kn (1-minute mean)`. */
export function formatWindRange(winds: StormArea["winds_kt"], { storms }: Words): string {
  if (!winds) return storms.notStated;
  const { min, max } = winds;
  const minutes = averagingMinutes.jtwc;
  return min === max ? storms.wind({ knots: max, minutes }) : storms.windRange({ min, max, minutes });
}

/** Text such as `towards 292° at 8 kn`. */
export function formatAlertMotion(heading: number | null, speedKmh: number | null, words: Words): string {
  if (speedKmh === 0) return words.storms.motion.stationary;
  if (heading === null || speedKmh === null) return words.storms.notStated;
  return formatMotion({ heading_deg: heading, speed_kmh: speedKmh }, words);
}

const order: Readonly<Record<Likelihood, number>> = { high: 0, medium: 1, low: 2 };

/** The areas of all outlooks, most likely first. */
export function areasOfInterest(outlooks: readonly StormOutlook[]): AreaOfInterest[] {
  return outlooks
    .flatMap(({ agency, issued_at, valid_until, areas }) =>
      areas.map((area) => ({ ...area, agency, issued_at, valid_until })),
    )
    .sort(
      (one, other) =>
        order[one.likelihood] - order[other.likelihood] || (other.percent_7d ?? 0) - (one.percent_7d ?? 0),
    );
}

/** How long before its issue an area is drawn, seconds, because it is based on earlier observations. */
const BEFORE_S = 6 * 3600;

/** Whether an agency's expectation covers an instant, Unix seconds. */
export function coversTime(
  { issued_at, within_hours }: Pick<AreaOfInterest, "issued_at" | "within_hours">,
  time: number,
): boolean {
  return time >= issued_at - BEFORE_S && time <= issued_at + within_hours * 3600;
}
