import { formatAge, formatHour } from "#components/view-state/format-time.ts";
import type { Zone } from "#components/view-state/zone.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { type Fix, STALE_FIX_S } from "#lib/geo/dead-reckoning.ts";
import type { ApproachAnswer } from "./approach-query.ts";
import { isFirst, isLast } from "./format-approach.ts";
import { formatMiles } from "./format-storm.ts";

/** What a master wants to know first of a storm: each sentence stands for one state. */
export interface Verdict {
  /** `inside` the danger area now, `enters` it later, keeps `clear` of it, or `unknown`. */
  level: "inside" | "enters" | "clear" | "unknown";
  sentences: string[];
}

/** What is at most so long ahead is now, seconds: times of storms are whole hours. */
const NOW_S = 1800;

type Danger = NonNullable<ApproachAnswer["danger"]>;

/** A storm and the ship: the danger area, then gales, then whether the storm is still closing at the end. */
export function verdictOf(answer: ApproachAnswer, now: number, zone: Zone): Verdict {
  const { danger, arrivals, closest, until } = answer;
  const sentences = [
    danger ? areaSentence(danger, now, zone) : "This forecast has no danger area for the time ahead.",
    ...(arrivals[0] ? [windSentence(arrivals[0], until, now, zone)] : []),
    ...(isLast(closest, until) && closest.time > now
      ? [`The storm is still closing when the forecast ends (${formatHour(until, zone)}).`]
      : []),
    ...(answer.is_stale ? ["The forecast is old: newer ones are missing."] : []),
  ];
  return { level: levelOf(danger, now), sentences };
}

function levelOf(danger: Danger | null, now: number): Verdict["level"] {
  if (!danger) return "unknown";
  if (danger.enters === null) return "clear";
  return danger.enters <= now + NOW_S ? "inside" : "enters";
}

const areas: Record<Danger["method"], string> = {
  classic: "1-2-3 area",
  season: "danger area of this season's cone",
};

function areaSentence(danger: Danger, now: number, zone: Zone): string {
  const { enters, leaves, clearance_km, method, until, gale_estimated } = danger;
  const area = gale_estimated ? `${areas[method]} (its winds estimated)` : areas[method];
  if (enters === null) return `Clear of the ${area} by ${formatMiles(clearance_km)}.`;
  if (enters > now + NOW_S) return `Enters the ${area} ${at(enters, now, zone)}.`;
  return leaves === null
    ? `INSIDE the ${area}, until that ends ${at(until, now, zone)}.`
    : `INSIDE the ${area}, out of it ${at(leaves, now, zone)}.`;
}

/** Whether and when the lowest wind arrives that the provider gives radii of. @param until End of the forecast. */
function windSentence(
  { threshold_kt, outlook, earliest, likely, told_until }: ApproachAnswer["arrivals"][number],
  until: number,
  now: number,
  zone: Zone,
): string {
  // Gales begin at 34 kt: the JMA gives 30 kt instead.
  const winds = threshold_kt === 34 ? "Gales" : `Winds of ${threshold_kt} kn`;
  const isNow = (time: number | null) => time !== null && time <= now + NOW_S;
  switch (outlook) {
    case "expected":
      if (isNow(likely)) return `${winds} now, on the forecast track.`;
      if (isNow(earliest)) return `${winds} possible from now on, likely ${at(likely!, now, zone)}.`;
      return earliest === null
        ? `${winds} likely ${at(likely!, now, zone)}.`
        : `${winds} earliest ${at(earliest, now, zone, "before")}, likely ${at(likely!, now, zone)}.`;
    case "possible":
      return isNow(earliest)
        ? `${winds} possible now, if the storm leaves its forecast track.`
        : `${winds} possible from ${at(earliest!, now, zone, "before")}, if the storm leaves its forecast track.`;
    case "not expected":
      return `${winds} not expected before the forecast ends (${formatHour(until, zone)}).`;
    case "not forecast":
      if (told_until === null)
        return `${winds}: not known, because the forecast does not say how far they reach.`;
      return isNow(told_until)
        ? `${winds}: not known, because the forecast says how far they reach now but not later.`
        : `${winds}: not known, because the forecast says how far they reach until ${formatHour(told_until, zone, "before")} at most.`;
  }
}

/** `Mon 14 Sep 03:00 (in 18 h)`. */
function at(time: number, now: number, zone: Zone, towards?: "before"): string {
  return `${formatHour(time, zone, towards)} (${formatAge(time, now)})`;
}

/** Of a storm about which nothing can be said ahead. @param beyond The position of the ship is of a time to come. */
export function verdictWithout(entry: StormEntry, now: number, beyond: boolean, zone: Zone): Verdict {
  const last = entry.tracks.forecast?.points.at(-1);
  const text = !entry.is_active
    ? "This storm is no longer tracked: nothing is forecast of it."
    : last && last.time < now
      ? `Its forecast ended ${formatHour(last.time, zone)}: nothing is known of it since, which does not mean that it stays away.`
      : last && beyond
        ? "Its forecast ends before the time of your ship's position."
        : entry.is_invest
          ? "An area of interest without a forecast: nothing is known of where it goes."
          : "There is no forecast to work it out from: that does not mean that the storm stays away.";
  return { level: "unknown", sentences: [text] };
}

/** What is to be known of any verdict for a ship whose position is old; undefined for a fresh one. */
export function staleShip({ time }: Fix, now: number): string | undefined {
  if (now - time <= STALE_FIX_S) return undefined;
  return `Your ship's position was entered ${formatAge(time, now)}: enter a new one.`;
}

/** Closest approach in one line of a list. */
export function formatClosest({ closest, from, until }: ApproachAnswer, now: number, zone: Zone): string {
  const miles = formatMiles(closest.distance_km);
  if (isLast(closest, until) && until > from)
    return `Still closing when the forecast ends (${formatHour(until, zone)}): ${miles}`;
  if (isFirst(closest, from) && from <= now + NOW_S) return `Closest now: ${miles}`;
  return `Closest ${formatHour(closest.time, zone)}: ${miles}`;
}
