import { civilOf, type Zone } from "#components/view-state/civil.ts";
import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { toKnots } from "#lib/knots.ts";
import { compassAbbreviation } from "#lib/position.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { textIn, type Units, unitFor } from "#lib/units.ts";
import type { SeriesRow } from "./point-queries.ts";

/**
 * How far ahead the wind is judged, seconds: beyond three days the hour of a change is not known. A wind that is still
 * rising then is followed until it has eased: the last value of a rise is no peak.
 */
const AHEAD_S = 72 * HOUR_S;

/** Forces that plans and warnings turn on: a strong wind, and a gale. */
const STRONG = 6;
const GALE = 8;

/** A change of the wind that is worth a word, Beaufort forces: one is within the error of a forecast. */
const NOTABLE = 2;

/** A wind that drops for no longer than this has not eased, seconds. */
const LULL_S = 6 * HOUR_S;

/**
 * Lower limits of forces 1 to 12, whole knots (WMO No. 306, code table 1100). Those in metres per second lie up to half a
 * knot lower: a wind that is shown as 33 kn would be a gale.
 */
const FORCE_KNOTS = [1, 4, 7, 11, 17, 22, 28, 34, 41, 48, 56, 64];

interface Wind {
  /** Unix seconds. */
  time: number;
  /** Mean wind, m s-1, and its Beaufort force. */
  speed: number;
  force: number;
  /** Degrees clockwise from north that it comes from; undefined in a calm. */
  from: number | undefined;
}

/**
 * What the wind does in the next three days, in one sentence: how strong, from where, until when. `F6 from SW by tonight,
 * peak 38 kn Thu 15`.
 *
 * @param rows Ascending in time.
 * @param now Weather clock, Unix seconds: what was before it is not judged.
 * @returns undefined where there is no wind for a coming time.
 */
export function outlookText(
  rows: readonly SeriesRow[],
  now: number,
  units: Units,
  zone: Zone,
): string | undefined {
  const { words } = zone;
  const { outlook } = words.point;
  const winds = windsOf(rows, now);
  const [first] = winds;
  const last = winds.at(-1);
  if (!first || !last || last.time <= first.time) return undefined;
  const peak = winds.reduce((one, other) => (other.speed > one.speed ? other : one));
  const at = (time: number) => momentText(time, now, zone);
  const from = ({ from }: Wind) =>
    from === undefined ? undefined : compassAbbreviation(from, words, "lettersFrom");
  const crossed = [GALE, STRONG].find((limit) => first.force < limit && peak.force >= limit);
  if (crossed !== undefined || peak.force - first.force >= NOTABLE) {
    const force = crossed ?? peak.force;
    const begin = winds.find((wind) => wind.force >= force) ?? peak;
    const end = timeBelow(winds, peak, STRONG);
    const until = end && at(end);
    // Within one day its hour says that it is the end.
    const isSameDay = end !== undefined && (until === at(begin.time) || until === at(peak.time));
    return outlook.strengthens({
      force,
      from: from(begin),
      when: at(begin.time),
      peak: textIn(peak.speed, unitFor("m/s", units, undefined, words)),
      at: at(peak.time) === at(begin.time) ? undefined : at(peak.time),
      until: isSameDay ? `${until} ${formatClock(end, zone)}` : until,
    });
  }
  const low = winds.reduce((one, other) => (other.force < one.force ? other : one));
  if (first.force - low.force >= NOTABLE)
    return outlook.eases({ force: first.force, from: from(first), eased: low.force, when: at(low.time) });
  if (peak.force < NOTABLE) return outlook.light({ when: at(last.time) });
  return outlook.steady({ force: first.force, from: from(first), when: at(last.time) });
}

function windsOf(rows: readonly SeriesRow[], now: number): Wind[] {
  const winds: Wind[] = [];
  let end = now + AHEAD_S;
  let highest = 0;
  for (const { time, conditions } of rows) {
    const speed = conditions.Winds_10m_Intensity;
    // The hour that has begun counts.
    if (typeof speed !== "number" || time <= now - HOUR_S) continue;
    if (time > end) break;
    winds.push({ time, speed, force: forceOf(speed), from: conditions.Winds_10m_Direction ?? undefined });
    if (speed <= highest) continue;
    highest = speed;
    end = Math.max(end, time + LULL_S);
  }
  return winds;
}

/** Beaufort force of a wind as it is shown, in whole knots. @param speed m s-1. */
function forceOf(speed: number): number {
  const knots = Math.round(toKnots(speed));
  return FORCE_KNOTS.filter((limit) => knots >= limit).length;
}

/** When, Unix seconds, a strong wind falls below a force for good; undefined where it does not, or was never as strong. */
function timeBelow(winds: readonly Wind[], peak: Wind, limit: number): number | undefined {
  if (peak.force < limit) return undefined;
  const end = winds.findLast(({ force }) => force >= limit) ?? peak;
  const next = winds.find(({ time }) => time > end.time);
  const last = winds.at(-1) ?? peak;
  return next && last.time - next.time >= LULL_S ? next.time : undefined;
}

/** `15:00`, `tonight`, `tomorrow`, `Thu 15`. @param now Unix seconds. */
function momentText(time: number, now: number, zone: Zone): string {
  const { outlook } = zone.words.point;
  const dayOf = (at: number) => Math.floor((at + zone.offset(at)) / DAY_S);
  const { hour } = civilOf(time, zone);
  const days = dayOf(time) - dayOf(now);
  if (days <= 0) return hour < 18 ? formatClock(time, zone) : outlook.tonight;
  if (days > 1) return formatWeekdayDay(time, zone);
  return hour < 6 ? outlook.tonight : outlook.tomorrow;
}
