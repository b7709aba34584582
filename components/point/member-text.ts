import { civilOf, daysWithin, instantOf, type Zone } from "#components/view-state/civil.ts";
import { formatClock } from "#components/view-state/format-time.ts";
import { limitText, limitUnit } from "#components/view-state/overlays.ts";
import { ensembleQuantities } from "#lib/catalog/ensemble.ts";
import {
  busiestPart,
  lastKnown,
  type MemberCount,
  membersOver,
  type SpanCount,
} from "#lib/ensemble/counts.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Units } from "#lib/units.ts";
import { type EnsembleSeries, memberSeries, startOfHour } from "./ensemble-query.ts";
import { dayText, momentText } from "./outlook.ts";

const { variable, output, thresholds } = ensembleQuantities[0]!;

/** Hours of the clock at which parts of a day begin. */
const PART_HOURS = [0, 6, 12, 18];

/**
 * How many members have a strong wind, a gale or a storm in the coming days, and when the most have the strongest of these:
 * `34 kn: 12 of 31 members, most likely Wed 18:00–24:00; 22 kn: 31 of 31.` It counts members and says nothing about how likely the
 * weather itself is.
 *
 * @param now Weather clock, Unix seconds.
 * @returns undefined if the run keeps no members, or none has a value here.
 */
export function memberText(
  ensemble: EnsembleSeries,
  now: number,
  units: Units,
  zone: Zone<"ensemble">,
): string | undefined {
  const { words } = zone;
  const { ensemble: texts, ui } = words;
  const found = memberSeries(ensemble, variable, output.point, now);
  const last = found && lastKnown(found.series);
  if (!found || last === undefined) return undefined;
  const { series, run } = found;
  const [from, to] = [startOfHour(now), last + HOUR_S];
  const unit = limitUnit("wind", units, words);
  const counts = thresholds.map(({ value }) => ({
    value,
    limit: limitText(value, unit),
    ...membersOver(series, value, from, to),
  }));
  const whichOf = ({ of }: MemberCount) =>
    of < run.members.length ? "valued" : run.members.length < run.size ? "arrived" : "all";
  const [lowest] = counts;
  if (!lowest || lowest.of === 0) return undefined;
  const [first, ...others] = counts.filter(({ over }) => over > 0).reverse();
  if (!first)
    return texts.none({
      which: whichOf(lowest),
      of: lowest.of,
      limit: lowest.limit,
      time: momentText(last, now, zone),
    });
  const busiest = busiestPart(series, first.value, clockEdges(from, to, zone))!;
  return texts.sentence({
    first: texts.first({
      limit: first.limit,
      count: first.over,
      which: whichOf(first),
      of: first.of,
      span: spanText(busiest, now, zone),
    }),
    others:
      others.map(({ limit, over, of }) => texts.other({ limit, count: over, of })).join(ui.joins.list) ||
      undefined,
  });
}

/** The ends of a span, and the times between them at which a quarter of a day begins, Unix seconds. */
export function clockEdges(from: number, to: number, zone: Zone): number[] {
  const begins = daysWithin(from, to, zone).flatMap(({ date }) =>
    PART_HOURS.map((hour) => instantOf({ ...date, hour, minute: 0 }, zone).time),
  );
  return [from, ...begins.filter((time) => time > from && time < to), to];
}

/** A span in hours of the clock, as other times are written: `Wed 18:00–24:00`, `Wed 18:00 – Fri 06:00`. */
function spanText({ from, to }: Pick<SpanCount, "from" | "to">, now: number, zone: Zone<"ensemble">): string {
  const { ensemble: texts } = zone.words;
  // The end of a day belongs to that day.
  const [day, lastDay] = [dayText(from, now, zone), dayText(to - 1, now, zone)];
  const end = formatClock(to, zone);
  const hours = { day, from: formatClock(from, zone), to: end === "00:00" ? "24:00" : end };
  return civilOf(from, zone).day === civilOf(to - 1, zone).day
    ? texts.span(hours)
    : texts.spanOfDays({ ...hours, lastDay });
}
