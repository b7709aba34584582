import { DAY_S } from "#lib/time.ts";
import type { TideBeyond, TideSpell } from "#lib/watches/tide.ts";
import type { Catalog, Station } from "./catalog.ts";
import { PredictionError } from "./errors.ts";
import { zeroBetween } from "./harmonics.ts";
import { nameOf } from "./names.ts";
import { centi } from "./period.ts";
import { levelOf, tideCurve } from "./tide.ts";

/** Asks when a height is beyond a limit. Times are Unix seconds. */
export interface LimitQuestion {
  /** Datum of the limit; chart datum by default. */
  datum?: string | undefined;
  /** Metres above the datum. Exactly one of the two is given. */
  over?: number | undefined;
  under?: number | undefined;
  from: number;
  to: number;
}

/** Interval between samples of the height, seconds. High and low waters are sampled too. */
const SAMPLE_S = 900;

/** Spans are followed this far before and after the period. */
const BEFORE_S = 2 * DAY_S;
const AFTER_S = DAY_S;

/** Finds when the tide of a station is beyond a limit. @throws PredictionError */
export function tideBeyond(
  catalog: Catalog,
  station: Station,
  { datum: asked, over, under, from, to }: LimitQuestion,
): TideBeyond {
  if (station.kind !== "tide") throw new PredictionError("station: it has streams, and no heights");
  const { datum, level } = levelOf(station, asked);
  const [first, last] = [from - BEFORE_S, to + AFTER_S];
  const curve = tideCurve(catalog.sum(station), station, level, first, last);
  const limit = over ?? under!;
  /** Distance from the limit, positive beyond it. */
  const excess = (time: number) => (over === undefined ? limit - curve.at(time) : curve.at(time) - limit);
  const count = Math.ceil((last - first) / SAMPLE_S);
  const steps = Array.from({ length: count + 1 }, (_, at) => Math.min(last, first + at * SAMPLE_S));
  const turns = curve.extremes.flatMap(({ time }) => (time > first && time < last ? [time] : []));
  const times = [...steps, ...turns, from, to].sort((one, other) => one - other);

  const spells: TideSpell[] = [];
  let start: number | undefined;
  let peak = first;
  let nearest = from;
  for (const [number, time] of times.entries()) {
    const beyond = excess(time);
    if (time >= from && time <= to && beyond > excess(nearest)) nearest = time;
    const before = times[number - 1];
    if (beyond > 0 && start === undefined) {
      start = before === undefined ? time : zeroBetween(excess, before, time);
      peak = time;
    }
    if (start === undefined) continue;
    // For a span that has already begun, only the remaining part counts.
    if (beyond > excess(peak) || (time === from && beyond > 0)) peak = time;
    if (beyond > 0 && number < times.length - 1) continue;
    const end = beyond > 0 ? time : zeroBetween(excess, before!, time);
    const cut = { ...(start === first && { hasNoBegin: true }), ...(beyond > 0 && { hasNoEnd: true }) };
    const found = { from: minute(start), to: minute(end), peak: minute(peak), value: centi(curve.at(peak)) };
    spells.push({ ...found, ...cut });
    start = undefined;
  }
  const { latitude, longitude, attribution } = station;
  return {
    station: nameOf(station),
    at: { latitude: Number(latitude.toFixed(4)), longitude: Number(longitude.toFixed(4)) },
    datum,
    attribution,
    spells,
    nearest: { time: minute(nearest), value: centi(curve.at(nearest)) },
  };
}

const minute = (time: number) => Math.round(time / 60) * 60;
