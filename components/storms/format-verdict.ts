import { STALE_FIX_S } from "@open-metocean/geo/rhumb";
import { MILE_KM } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import { NEAR_KM } from "@open-metocean/storms/track";
import type { Zone } from "#components/view-state/civil.ts";
import { formatAge, formatHour, formatWeekdayHour } from "#components/view-state/format-time.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { formatBearing } from "#lib/position.ts";
import {
  type ApproachAnswer,
  type DangerLevel,
  dangerLevel,
  isInUsualReach,
  NOW_S,
  type Observer,
} from "./approaches.ts";

/** The most important facts about a storm. */
interface Verdict {
  level: DangerLevel;
  sentences: string[];
}

type Danger = NonNullable<ApproachAnswer["danger"]>;

/**
 * The verdict on a storm and the ship or the point: how near it comes, which wind arrives when, and the
 * danger area.
 */
export function verdictOf(answer: ApproachAnswer, now: number, zone: Zone<"verdict">): Verdict {
  const words = zone.words.verdict;
  const { danger } = answer;
  return {
    level: dangerLevel(answer, now),
    sentences: [
      formatLine(answer, now, zone, false),
      danger ? unbroken(areaSentence(danger, isGaleForecast(answer), now, zone)) : words.area.none,
      ...(answer.is_stale ? [words.old] : []),
    ],
  };
}

/**
 * Whether the storm has, at some time, the lowest wind for which its provider gives radii; otherwise nothing
 * is said about winds.
 */
export function isGaleForecast({ arrivals }: Pick<ApproachAnswer, "arrivals">): boolean {
  return arrivals[0] !== undefined && arrivals[0].is_forecast !== false;
}

function areaSentence(danger: Danger, hasGale: boolean, now: number, zone: Zone<"verdict">): string {
  const { enters, leaves, clearance_km, method } = danger;
  const estimated = hasGale && danger.gale_estimated;
  const { area } = zone.words.verdict;
  if (enters === null)
    return area.clear({ method, estimated, distance: formatMiles(clearance_km, zone.words) });
  if (enters > now + NOW_S) return area.enters({ method, estimated, at: at(enters, now, zone) });
  return leaves === null
    ? area.insideToEnd({ method, estimated })
    : area.insideOut({ method, estimated, out: at(leaves, now, zone) });
}

/** Text such as `Mon 14 Sep 03:00 (in 18 h)`. */
function at(time: number, now: number, zone: Zone<"verdict">, towards?: "before"): string {
  return zone.words.verdict.at({
    time: formatHour(time, zone, towards),
    age: formatAge(time, now, zone.words),
  });
}

/**
 * The verdict on a storm without a forecast for the voyage. @param beyond The ship's position lies in the
 * future.
 */
export function verdictWithout(
  entry: StormEntry,
  now: number,
  beyond: boolean,
  zone: Zone<"verdict">,
): Verdict {
  const { without } = zone.words.verdict;
  const last = entry.tracks.forecast?.points.at(-1);
  const text = !entry.is_active
    ? without.over
    : last && last.time < now
      ? without.ended({ when: formatHour(last.time, zone) })
      : last && beyond
        ? without.beyond
        : entry.is_invest
          ? without.invest
          : without.silent;
  return { level: "unknown", sentences: [text] };
}

/** A warning beside every verdict on a ship whose position is old; undefined for a recent one. */
export function staleShip(
  { fix: { time } }: Observer,
  now: number,
  words: WordsWith<"verdict">,
): string | undefined {
  if (now - time <= STALE_FIX_S) return undefined;
  return words.verdict.staleShip({ age: formatAge(time, now, words) });
}

/**
 * Text such as `Closest 57 n mi, Sun 06:00; 34 kn from Sat 22:00`, the same in list, card, ship panel and
 * map. For a storm too far away to be dangerous it only states the distance; for one without such winds it
 * omits them. If the closest approach is at the beginning the storm moves away; at the end of the forecast it
 * is still approaching.
 *
 * @param withArea Whether to name the danger area as the reason if no wind arrives; the card has its own
 * sentence about it.
 */
export function formatLine(
  answer: ApproachAnswer,
  now: number,
  zone: Zone<"verdict">,
  withArea = true,
): string {
  const { closest, from, until, arrivals, danger } = answer;
  const { line } = zone.words.verdict;
  const distance = formatMiles(closest.distance_km, zone.words);
  const when = whenClosest(answer, now, zone);
  const isFar = closest.distance_km > NEAR_KM;
  // If neither the storm nor the vessel moves there is no side, and the storm neither approaches nor moves
  // away.
  const isMoving = until > from && closest.semicircle !== null;
  const nearest =
    until > from && isLast(closest, until)
      ? line.asForecast({ distance, when: formatWeekdayHour(closest.time, zone) })
      : isMoving && isFirst(closest, from)
        ? line.movingAway({ distance, when })
        : line.closest({ distance, when });
  if (isFar) return nearest;
  const parts = [nearest];
  if (arrivals[0] && isGaleForecast(answer))
    parts.push(formatWinds(arrivals[0], isInUsualReach(closest), now, zone));
  if (withArea && arrivals[0]?.outlook !== "expected" && typeof danger?.enters === "number")
    parts.push(
      danger.enters <= now + NOW_S
        ? line.area.now({ method: danger.method })
        : line.area.later({ method: danger.method, when: formatWeekdayHour(danger.enters, zone) }),
    );
  return unbroken(parts.join(line.join));
}

/** Distance and hour of the closest approach alone: `57 n mi, Sun 06:00`. @param now Unix seconds. */
export function formatNearest(answer: ApproachAnswer, now: number, zone: Zone<"verdict">): string {
  const distance = formatMiles(answer.closest.distance_km, zone.words);
  return zone.words.verdict.line.near({ distance, when: whenClosest(answer, now, zone) });
}

/** Hour of the closest approach; undefined if it is now. */
function whenClosest({ closest, from }: ApproachAnswer, now: number, zone: Zone): string | undefined {
  const isNow = isFirst(closest, from) && from <= now + NOW_S;
  return isNow ? undefined : formatWeekdayHour(closest.time, zone);
}

/** Prevents a line break within 1-2-3. */
const unbroken = (text: string) => text.replaceAll("1-2-3", "1\u20112\u20113");

/** Whether and when the lowest wind arrives for which the provider gives radii. */
function formatWinds(
  { threshold_kt: kt, outlook, earliest, likely }: ApproachAnswer["arrivals"][number],
  isInReach: boolean,
  now: number,
  zone: Zone<"verdict">,
): string {
  const { winds } = zone.words.verdict.line;
  const isNow = (time: number) => time <= now + NOW_S;
  if (outlook === "expected" && likely !== null)
    return isNow(likely) ? winds.now({ kt }) : winds.likely({ kt, when: formatWeekdayHour(likely, zone) });
  if (outlook === "possible" && earliest !== null)
    return isNow(earliest)
      ? winds.possibleNow({ kt })
      : winds.possible({ kt, when: formatWeekdayHour(earliest, zone, "before") });
  if (outlook === "not expected") return winds.notExpected({ kt });
  return isInReach ? winds.usual({ kt }) : winds.notForecast({ kt });
}

/** Tolerance at the ends of the searched time, seconds: a search is accurate to a second. */
const END_S = 60;

/** Beyond this distance from the centre the side of a storm does not matter to a vessel, km. */
const SIDES_KM = 500 * MILE_KM;

/** Whether the side of a storm matters to a vessel: the storm is near and has gales. @param km Distance of the centre. */
export function hasSides(km: number, answer: Pick<ApproachAnswer, "arrivals">): boolean {
  return km <= SIDES_KM && isGaleForecast(answer);
}

/**
 * Hour of the closest approach, direction of the storm then, and the side on which the vessel will be. Undefined
 * if the storm is closest now: the present range has its bearing and side.
 */
export function formatSide(
  { closest, arrivals, from, until }: Pick<ApproachAnswer, "closest" | "arrivals" | "from" | "until">,
  zone: Zone<"verdict">,
): string | undefined {
  if (isFirst(closest, from)) return undefined;
  return zone.words.verdict.approach.side({
    isEnd: isLast(closest, until),
    when: formatWeekdayHour(closest.time, zone),
    bearing: formatBearing(closest.bearing_deg),
    semicircle: hasSides(closest.distance_km, { arrivals }) ? closest.semicircle : null,
  });
}

/**
 * Distance that remains to the storm's winds, or how far inside them the vessel may be. Undefined if only the error
 * of the track reaches the vessel, at a time and on a side without such winds.
 */
export function formatClearance(
  { least_clearance: least, from, until }: Pick<ApproachAnswer, "least_clearance" | "from" | "until">,
  kt: number,
  zone: Zone<"verdict">,
): string | undefined {
  if (least.gale_km === 0 && least.clearance_km <= 0) return undefined;
  const { approach } = zone.words.verdict;
  // A storm that moves away is closest at the beginning.
  const when = isFirst(least, from) ? undefined : formatHour(least.time, zone);
  const distance = formatMiles(Math.abs(least.clearance_km), zone.words);
  const room = { distance, kt, estimated: least.gale_estimated };
  if (least.clearance_km <= 0) return approach.inside({ when, ...room });
  return isLast(least, until)
    ? approach.shrinking({ until: formatHour(until, zone), ...room })
    : approach.clearance({ when, ...room });
}

/**
 * When a forecast wind arrives that is expected or possible, or whose reach is not forecast; undefined for
 * any other wind.
 */
export function formatArrival(
  {
    threshold_kt: kt,
    is_forecast: isForecast,
    outlook,
    earliest,
    likely,
    latest,
    ends,
  }: ApproachAnswer["arrivals"][number],
  zone: Zone<"verdict">,
): string | undefined {
  if (outlook === "not expected" || isForecast === false) return undefined;
  const { approach } = zone.words.verdict;
  if (outlook === "not forecast") return approach.notForecast({ kt });
  const hour = (name: keyof typeof approach.hours, time: number | null, towards?: "before" | "after") =>
    time === null ? [] : [approach.hours[name]({ when: formatHour(time, zone, towards) })];
  const hours = [
    approach.outlooks[outlook],
    ...hour("earliest", earliest, "before"),
    ...hour("likely", likely),
    ...hour("latest", latest, "after"),
    ...hour("over", ends, "after"),
  ];
  return approach.arrives({ kt, hours: hours.join(zone.words.ui.joins.clauses) });
}

/** Whether a time is the beginning of the searched span, after which the storm is never nearer. */
function isFirst({ time }: { time: number }, from: number): boolean {
  return time <= from + END_S;
}

/** Whether a minimum only results from the end of the forecast. */
function isLast({ time }: { time: number }, until: number): boolean {
  return time >= until - END_S;
}
