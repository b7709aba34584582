import type { TidePrediction } from "#lib/contract/tides.ts";
import { HOUR_S } from "#lib/time.ts";
import { type Catalog, chartDatumOf, isComputed, levelsOf, type Station } from "./catalog.ts";
import { coefficientsOf } from "./coefficient.ts";
import { PredictionError } from "./errors.ts";
import { type Extreme, firstAfter, type HarmonicSum, type Term, withoutRipples } from "./harmonics.ts";
import {
  aboutStation,
  centi,
  instantOf,
  type Period,
  periodOf,
  type StationQuestion,
  stepsOf,
  withinPeriod,
} from "./period.ts";

/** Heights of a station above a datum, metres. Times are Unix seconds. */
export interface TideCurve {
  at(time: number): number;
  isRising(time: number): boolean;
  /** High and low waters, including those just before and after the period. */
  extremes: readonly Extreme[];
}

type Differences = Pick<NonNullable<Station["offsets"]>, "height" | "time">;

/** Predicts a station for a period. @param level Height of the datum above mean sea level, metres. */
export function tideCurve(
  sum: HarmonicSum,
  station: Station,
  level: number,
  from: number,
  to: number,
  offsets = station.type === "subordinate" ? station.offsets : undefined,
): TideCurve {
  const extremesOf = () =>
    sum.extremesAround(from, to).map((extreme) => ({ ...extreme, value: extreme.value - level }));
  if (offsets) return subordinateCurve(sum, offsets, level, extremesOf());
  return {
    at: (time) => sum.at(time) - level,
    isRising: (time) => sum.rateAt(time) > 0,
    // Extremes are computed on demand, because the map needs none.
    get extremes() {
      return extremesOf();
    },
  };
}

/**
 * Applies the differences of a subordinate station, which are published for high and low water, to its reference.
 * Between them the reference curve is stretched.
 */
function subordinateCurve(
  sum: HarmonicSum,
  { height, time }: Differences,
  level: number,
  reference: readonly Extreme[],
): TideCurve {
  const moved = reference.map((original) => {
    const side = original.isHigh ? "high" : "low";
    return {
      ...original,
      time: original.time + 60 * time[side],
      value: height.type === "fixed" ? original.value + height[side] : original.value * height[side],
      original,
    };
  });
  // If the tide is small, the differences may put high water below low water.
  const extremes = withoutRipples(moved);
  /** Index of the extreme before a time. */
  const before = (at: number) => Math.max(0, Math.min(extremes.length - 2, firstAfter(extremes, at) - 1));
  return {
    extremes,
    isRising: (at) => extremes.length < 2 || extremes[before(at)]!.value < extremes[before(at) + 1]!.value,
    at(at) {
      if (extremes.length < 2) return sum.at(at) - level;
      const number = before(at);
      const [one, other] = [extremes[number]!, extremes[number + 1]!];
      const [oneOfReference, otherOfReference] = [one.original, other.original];
      const share = Math.max(0, Math.min(1, (at - one.time) / (other.time - one.time)));
      const mapped = oneOfReference.time + share * (otherOfReference.time - oneOfReference.time);
      const range = otherOfReference.value - oneOfReference.value;
      const rise = range === 0 ? share : (sum.at(mapped) - level - oneOfReference.value) / range;
      return one.value + rise * (other.value - one.value);
    },
  };
}

/** Range of the main constituents below which wind and air pressure hide the tide, metres. */
const HARDLY_ANY_M = 0.1;

type Regime = TidePrediction["regime"];

const amplitudeOf = (terms: readonly Term[], name: string) =>
  terms.find((term) => term.name === name)?.amplitude ?? 0;

/** Regime of a tide, by the form factor (K1 + O1) / (M2 + S2). */
export function regimeOf(terms: readonly Term[]): { regime: Regime; main: readonly [string, string] } {
  const [m2 = 0, s2 = 0, k1 = 0, o1 = 0] = ["M2", "S2", "K1", "O1"].map((name) => amplitudeOf(terms, name));
  const form = (k1 + o1) / (m2 + s2);
  const main = form > 1.5 ? (["K1", "O1"] as const) : (["M2", "S2"] as const);
  if (2 * (m2 + s2 + k1 + o1) < HARDLY_ANY_M) return { regime: "none", main };
  return { regime: form < 0.25 ? "semidiurnal" : form < 3 ? "mixed" : "diurnal", main };
}

/** The datum of the heights, by default the chart datum. @throws PredictionError where the station lacks it. */
export function levelOf(station: Station, asked: string | undefined) {
  const levels = levelsOf(station);
  const datum = asked ?? chartDatumOf(station);
  const level = levels.get(datum);
  if (level === undefined)
    throw new PredictionError(`datum: this station has heights above ${[...levels.keys()].join(", ")}`);
  return { levels, datum, level };
}

/** Default coefficient of a great tide. */
const GREAT = 100;

export function predictTide(catalog: Catalog, station: Station, question: StationQuestion): TidePrediction {
  const period = periodOf(station, question);
  const { from, to } = period;
  const { levels, datum, level } = levelOf(station, question.datum);
  const sum = catalog.sum(station);
  const own = ownPort(station, question);
  const isOwn = own !== undefined && station.type === "reference";
  const curve = tideCurve(sum, station, level, from, to, own);
  const current = tideCurve(sum, station, level, question.now, question.now, own);
  // Without a high and a low water to adjust, the result would be the curve of the station itself.
  if (isOwn && (isFlat(curve) || isFlat(current)))
    throw new PredictionError("high_m: with these differences high water is not above low water");
  const { regime, main } = regimeOf(sum.terms);
  const [one = 0, other = 0] = main.map((name) => amplitudeOf(sum.terms, name));
  const isTidal = regime !== "none";
  const extremes = isTidal ? withinPeriod(curve.extremes, period) : [];
  const lowest = Math.min(...extremes.map(({ value }) => value));
  const coefficients = regime === "semidiurnal" ? coefficientsOf(catalog, station) : undefined;
  const great = coefficients?.next(from, question.coefficient ?? GREAT);
  const about = aboutStation(station, sum.terms, main, period, question.distances);
  return {
    kind: "tide",
    ...about,
    ...(isOwn && ownPortOf(about.station, question)),
    notes: [...(isOwn ? [OWN_PORT] : []), ...tideNotes(station, sum.terms, datum, lowest), ...about.notes],
    datum,
    datum_source: isComputed(station, datum) ? "computed" : "office",
    shallow_water: isShallow(sum.terms),
    datums: Object.fromEntries([...levels].map(([name, height]) => [name, centi(height - level)])),
    regime,
    now: {
      time: instantOf(question.now),
      height_m: centi(current.at(question.now)),
      trend: isTidal ? (current.isRising(question.now) ? "rising" : "falling") : null,
    },
    range: {
      springs_m: centi(scaled(own, 2 * (one + other))),
      neaps_m: centi(scaled(own, 2 * Math.abs(one - other))),
      now_m: isTidal ? rangeAround(current.extremes, question.now) : null,
    },
    extremes: extremes.map(({ time, value, isHigh }) => ({
      time: instantOf(time),
      type: isHigh ? "high" : "low",
      height_m: centi(value),
      ...(isHigh && coefficients && { coefficient: coefficients.at(time) }),
    })),
    ...(coefficients && {
      next_great_tide: great ? { ...great, time: instantOf(great.time) } : null,
    }),
    stands: isTidal ? standsOf(curve, period, regime) : [],
    ...(question.step !== undefined && {
      curve: {
        step_minutes: question.step,
        heights_m: stepsOf(period, question.step).map((time) => centi(curve.at(time))),
      },
    }),
  };
}

/** Names the station of an answer with the caller's differences; the station is its own reference. */
function ownPortOf(station: TidePrediction["station"], question: StationQuestion) {
  const { id, name } = station;
  const { high_minutes = 0, low_minutes = 0, high_m = 0, low_m = 0 } = question;
  return {
    station: { ...station, name: `${name}, with differences`, reference: { id, name } },
    differences: { high_minutes, low_minutes, high_m, low_m },
  };
}

const OWN_PORT =
  "A secondary port by the differences of this request: between its high and low waters the curve is that of the station, stretched.";

const isFlat = ({ extremes }: TideCurve) => extremes.length < 2;

/** The caller's differences to a station. @throws PredictionError where the station has differences itself. */
function ownPort(station: Station, question: StationQuestion): Station["offsets"] {
  const { high_minutes = 0, low_minutes = 0, high_m = 0, low_m = 0 } = question;
  if (station.offsets && station.type === "subordinate") {
    if (high_minutes || low_minutes || high_m || low_m)
      throw new PredictionError(
        "high_minutes: this station has differences itself: give yours to its reference",
      );
    return station.offsets;
  }
  if (!high_minutes && !low_minutes && !high_m && !low_m) return undefined;
  return {
    reference: station.id,
    time: { high: high_minutes, low: low_minutes },
    height: { type: "fixed", high: high_m, low: low_m },
  };
}

/** Converts a range at the reference to the range at a subordinate station. */
function scaled(offsets: Differences | undefined, range: number): number {
  if (!offsets) return range;
  const { high, low, type } = offsets.height;
  return type === "fixed" ? Math.max(0, range + high - low) : (range * (high + low)) / 2;
}

function rangeAround(extremes: readonly Extreme[], time: number): number | null {
  const next = firstAfter(extremes, time);
  return next > 0 && next < extremes.length
    ? centi(Math.abs(extremes[next]!.value - extremes[next - 1]!.value))
    : null;
}

/** Interval between samples of the level, seconds. */
const SAMPLE_S = 600;
/** Number of samples before and after each one among which the fastest change is searched. */
const AROUND = Math.round((6.5 * HOUR_S) / SAMPLE_S);
/** The level stands where its rate is below this share of the fastest one around it. */
const SLOW = 0.2;
/** Length of such a stand around high and low water of a single sine: 2 asin(0.2) / 2π of the period. */
const ORDINARY_S = { twiceDaily: 0.8 * HOUR_S, daily: 1.6 * HOUR_S };
/** Shortest stand during a rise or fall that is reported, seconds. */
const MIN_STAND_S = 0.5 * HOUR_S;

/**
 * Finds stands of the tide: those around high or low water that last at least twice the ordinary time, and those in the
 * middle of a rise or a fall.
 */
function standsOf(curve: TideCurve, { from, to }: Period, regime: Regime): TidePrediction["stands"] {
  const first = from - AROUND * SAMPLE_S;
  const count = Math.ceil((to - first) / SAMPLE_S) + AROUND;
  const heights = Array.from({ length: count + 1 }, (_, at) => curve.at(first + at * SAMPLE_S));
  const changes = heights.slice(1).map((height, at) => height - heights[at]!);
  const fastest = changes.map((_, at) =>
    Math.max(...changes.slice(Math.max(0, at - AROUND), at + AROUND + 1).map(Math.abs)),
  );
  const longEnough = 2 * (regime === "diurnal" ? ORDINARY_S.daily : ORDINARY_S.twiceDaily);
  const found: TidePrediction["stands"] = [];
  let start = -1;
  for (let at = AROUND; at <= count - AROUND; at++) {
    const isSlow = at < count - AROUND && Math.abs(changes[at]!) < SLOW * fastest[at]!;
    if (isSlow && start < 0) start = at;
    if (isSlow || start < 0) continue;
    const length = (at - start) * SAMPLE_S;
    const turns = changes.slice(start - 1, at + 1).some((change, _, all) => change > 0 !== all[0]! > 0);
    // A stand that the period cuts may be the rest of an ordinary one.
    if (start > AROUND && at < count - AROUND && length >= (turns ? longEnough : MIN_STAND_S))
      found.push({
        from: instantOf(first + start * SAMPLE_S),
        to: instantOf(first + at * SAMPLE_S),
        height_m: centi(heights[Math.round((start + at) / 2)]!),
      });
    start = -1;
  }
  return found;
}

/**
 * Overtides above this share of M2, and above so many metres, shape the tide: shoals and shores distort it, and it
 * would need more constituents than a gauge record gives. The share is 0.24 at Avonmouth, 0.72 at Weymouth and 0.67 at
 * Southampton; at Liverpool, whose tables agree within 7 cm, it is 0.21.
 */
const [SHALLOW_SHARE, SHALLOW_M] = [0.22, 0.1];

/** Overtides have at least this many cycles a day, as the number at the end of a constituent's name tells. */
const FEWEST_A_DAY = 4;

/** Whether the constituents do not resolve the shape of a tide. */
export function isShallow(terms: readonly Term[]): boolean {
  const { regime } = regimeOf(terms);
  if (regime === "none" || regime === "diurnal") return false;
  const isOvertide = ({ name }: Term) => Number(/\d+$/.exec(name)?.[0] ?? 0) >= FEWEST_A_DAY;
  const overtides = terms.filter(isOvertide).reduce((sum, { amplitude }) => sum + amplitude, 0);
  return overtides >= SHALLOW_M && overtides >= SHALLOW_SHARE * amplitudeOf(terms, "M2");
}

const SHALLOW =
  "Shallow water bends this tide (its overtides M4, MS4, M6 and others amount to more than a fifth of M2): its shape is not " +
  "resolved. Times of high and low water may be off by an hour, heights by decimetres; stands and double waters may be others.";

function tideNotes(station: Station, terms: readonly Term[], datum: string, lowest: number): string[] {
  const { regime } = regimeOf(terms);
  const notes: string[] = [];
  if (isShallow(terms)) notes.push(SHALLOW);
  if (isComputed(station, datum))
    notes.push(
      `${datum} is computed from the record of the gauge. The datum of charts differs from it by decimetres (Avonmouth 0.37 m, ` +
        "Reykjavík 0.30 m): there may be less water than the depth of the chart and this height make.",
    );
  if (regime === "none")
    notes.push(
      `There is hardly any tide here, less than ${HARDLY_ANY_M} m: wind and air pressure make the level.`,
    );
  if (regime === "diurnal") notes.push("There is mostly one tide a day here.");
  if (lowest < 0)
    notes.push(
      `The lowest low water of this period is ${centi(-lowest)} m below ${datum}: heights may be negative.`,
    );
  if (chartDatumOf(station) === "MSL" && station.chart_datum !== "MSL")
    notes.push(
      "No datum of charts is known for this station: heights are above mean sea level, and depths of charts are not.",
    );
  return notes;
}
