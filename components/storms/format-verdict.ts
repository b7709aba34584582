import type { Zone } from "#components/view-state/civil.ts";
import { formatAge, formatHour } from "#components/view-state/format-time.ts";
import type { StormEntry } from "#lib/contract/storms.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { type Fix, STALE_FIX_S } from "#lib/geo/rhumb.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { formatBearing } from "#lib/position.ts";
import type { ArrivalWindow, ClosestApproach } from "#lib/storms/approach.ts";
import type { ApproachAnswer } from "./ship-approaches.ts";

/** What a master wants to know first of a storm: each sentence stands for one state. */
interface Verdict {
  /** `inside` the danger area now, `enters` it later, keeps `clear` of it, or `unknown`. */
  level: "inside" | "enters" | "clear" | "unknown";
  sentences: string[];
}

/** What is at most so long ahead is now, seconds: times of storms are whole hours. */
const NOW_S = 1800;

type Danger = NonNullable<ApproachAnswer["danger"]>;

/** A storm and the ship: the danger area, then gales, then whether the storm is still closing at the end. */
export function verdictOf(answer: ApproachAnswer, now: number, zone: Zone<"verdict">): Verdict {
  const { danger, arrivals, closest, until } = answer;
  const words = zone.words.verdict;
  const sentences = [
    danger ? areaSentence(danger, now, zone) : words.area.none,
    ...(arrivals[0] ? [windSentence(arrivals[0], until, now, zone)] : []),
    ...(isLast(closest, until) && closest.time > now
      ? [words.stillClosing({ until: formatHour(until, zone) })]
      : []),
    ...(answer.is_stale ? [words.old] : []),
  ];
  return { level: levelOf(danger, now), sentences };
}

function levelOf(danger: Danger | null, now: number): Verdict["level"] {
  if (!danger) return "unknown";
  if (danger.enters === null) return "clear";
  return danger.enters <= now + NOW_S ? "inside" : "enters";
}

function areaSentence(danger: Danger, now: number, zone: Zone<"verdict">): string {
  const { enters, leaves, clearance_km, method, until, gale_estimated: estimated } = danger;
  const { area } = zone.words.verdict;
  if (enters === null)
    return area.clear({ method, estimated, distance: formatMiles(clearance_km, zone.words) });
  if (enters > now + NOW_S) return area.enters({ method, estimated, at: at(enters, now, zone) });
  return leaves === null
    ? area.insideToEnd({ method, estimated, end: at(until, now, zone) })
    : area.insideOut({ method, estimated, out: at(leaves, now, zone) });
}

/** Whether and when the lowest wind arrives that the provider gives radii of. @param until End of the forecast. */
function windSentence(
  { threshold_kt: kt, outlook, earliest, likely, told_until }: ApproachAnswer["arrivals"][number],
  until: number,
  now: number,
  zone: Zone<"verdict">,
): string {
  const { gales } = zone.words.verdict;
  const isNow = (time: number | null) => time !== null && time <= now + NOW_S;
  switch (outlook) {
    case "expected": {
      if (isNow(likely)) return gales.now({ kt });
      const most = at(likely!, now, zone);
      if (isNow(earliest)) return gales.possibleThenLikely({ kt, likely: most });
      return earliest === null
        ? gales.likely({ kt, likely: most })
        : gales.earliest({ kt, earliest: at(earliest, now, zone, "before"), likely: most });
    }
    case "possible":
      return isNow(earliest)
        ? gales.possibleNow({ kt })
        : gales.possibleFrom({ kt, from: at(earliest!, now, zone, "before") });
    case "not expected":
      return gales.notExpected({ kt, until: formatHour(until, zone) });
    case "not forecast":
      if (told_until === null) return gales.notKnown({ kt });
      return isNow(told_until)
        ? gales.notKnownLater({ kt })
        : gales.notKnownAfter({ kt, told: formatHour(told_until, zone, "before") });
  }
}

/** `Mon 14 Sep 03:00 (in 18 h)`. */
function at(time: number, now: number, zone: Zone<"verdict">, towards?: "before"): string {
  return zone.words.verdict.at({
    time: formatHour(time, zone, towards),
    age: formatAge(time, now, zone.words),
  });
}

/** Of a storm about which nothing can be said ahead. @param beyond The position of the ship is of a time to come. */
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

/** A warning beside every verdict on a ship whose position is old; undefined for a fresh one. */
export function staleShip({ time }: Fix, now: number, words: WordsWith<"verdict">): string | undefined {
  if (now - time <= STALE_FIX_S) return undefined;
  return words.verdict.staleShip({ age: formatAge(time, now, words) });
}

/** Closest approach in one line of a list. */
export function formatClosest(
  { closest, from, until }: ApproachAnswer,
  now: number,
  zone: Zone<"verdict">,
): string {
  const { line } = zone.words.verdict;
  const distance = formatMiles(closest.distance_km, zone.words);
  if (isLast(closest, until) && until > from)
    return line.stillClosing({ until: formatHour(until, zone), distance });
  const isNow = isFirst(closest, from) && from <= now + NOW_S;
  return line.closest({ when: isNow ? undefined : formatHour(closest.time, zone), distance });
}

/** Times at the ends of what is looked at, seconds: a search finds the last instant to the second. */
const END_S = 60;

/** When the centre is nearest; where it is still coming nearer at the end of the forecast, that, and no time. */
export function formatApproach({ closest, from, until }: ClosestApproach, zone: Zone<"verdict">): string {
  const { km, bearing, semicircle } = closest;
  const { approach } = zone.words.verdict;
  const centre = { distance: formatMiles(km, zone.words), bearing: formatBearing(bearing), semicircle };
  return isLast(closest, until)
    ? approach.closing({ until: formatHour(until, zone), ...centre })
    : approach.closest({ when: formatWhen(closest, from, zone), ...centre });
}

/** How much room remains to its winds, or how far inside one may be. */
export function formatClearance(
  { minClearance, from, until }: ClosestApproach,
  threshold: number,
  zone: Zone<"verdict">,
): string {
  const { clearanceKm, estimated } = minClearance;
  const { approach } = zone.words.verdict;
  const when = formatWhen(minClearance, from, zone);
  const room = { distance: formatMiles(Math.abs(clearanceKm), zone.words), kt: threshold, estimated };
  if (clearanceKm <= 0) return approach.inside({ when, ...room });
  return isLast(minClearance, until)
    ? approach.shrinking({ until: formatHour(until, zone), ...room })
    : approach.clearance({ when, ...room });
}

/** Whether and when a wind arrives. @param until End of what is looked at, Unix seconds. */
export function formatArrival(
  { thresholdKt: kt, outlook, earliest, likely, latest, ends }: ArrivalWindow,
  until: number,
  zone: Zone<"verdict">,
): string {
  const { approach } = zone.words.verdict;
  if (outlook === "not forecast") return approach.notForecast({ kt });
  // Without radii to the end it is "not forecast", unless even the widest ones do not reach that far.
  if (outlook === "not expected") return approach.notExpected({ kt, until: formatHour(until, zone) });
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

/** Its hour; undefined for now: a storm that moves away is closest at once. @param from Beginning of what is looked at, Unix seconds. */
function formatWhen(approach: { time: number }, from: number, zone: Zone): string | undefined {
  return isFirst(approach, from) ? undefined : formatHour(approach.time, zone);
}

/** Whether it is at the beginning of what is looked at: from then on it is no nearer. */
function isFirst({ time }: { time: number }, from: number): boolean {
  return time <= from + END_S;
}

/** Whether it is the end of the forecast that makes it the nearest or the least. */
function isLast({ time }: { time: number }, until: number): boolean {
  return time >= until - END_S;
}
