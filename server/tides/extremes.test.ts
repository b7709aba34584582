import { expect, it } from "vitest";
import { type WatchQuestion, watchRequest } from "#lib/contract/watch.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import type { Edition } from "#lib/watches/edition.ts";
import { MAX_PAUSE_S } from "#lib/watches/tide.ts";
import {
  AHEAD_S,
  type ExtremeQuestion,
  extremeEdition,
  extremePause,
  LATE_S,
  type TideExtreme,
  type TideExtremes,
} from "#lib/watches/tide-extreme.ts";
import { Catalog } from "./catalog.ts";
import { tideExtremes } from "./extremes.ts";
import { firstAfter } from "./harmonics.ts";
import { predictTide } from "./tide.ts";

const catalog = new Catalog(false);
const BREST = "ticon:brest-822-fra-uhslc_fd";
const begin = parseInstant("2026-12-01T00:00:00Z");
/** They have several springs and neaps. `THOROUGH=1` watches a year. */
const DAYS = process.env.THOROUGH === "1" ? 365 : 120;
const LASTING_S = DAYS * DAY_S;
const ROUND_S = 5;

const asked = (question: object): ExtremeQuestion =>
  watchRequest.parse({ name: "Bar", question: { kind: "tide_extreme", ...question } })
    .question as WatchQuestion & { kind: "tide_extreme" };

const periods = new Map<string, TideExtremes>();

/** High and low waters of all days and of some days around them. */
function periodOf(id: string): TideExtremes {
  const period =
    periods.get(id) ??
    tideExtremes(catalog, catalog.station(id), {
      from: begin - 2 * DAY_S,
      to: begin + LASTING_S + 9 * DAY_S,
    });
  periods.set(id, period);
  return period;
}

/** Returns the extremes that a watch reads at a given time. */
function readAt(period: TideExtremes, now: number): TideExtremes {
  const [first, last] = [now - LATE_S, now + AHEAD_S].map((time) => firstAfter(period.extremes, time - 1));
  return { ...period, extremes: period.extremes.slice(first, last) };
}

/** The expected extremes for a watch of all days, taken from the answers of GET /tides/{id}. */
function wantedIn(id: string, { type, minutes_before, conditions, coefficient }: ExtremeQuestion) {
  const station = catalog.station(id);
  const text = (time: number) => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;
  const { extremes } = predictTide(catalog, station, {
    from: text(begin - DAY_S),
    to: text(begin + LASTING_S),
    days: 2,
    now: begin,
  });
  const { over = -99, under = 99 } = conditions[0] ?? {};
  return extremes.flatMap(({ time, type: is, height_m, coefficient: own }, at) => {
    const beside = [extremes[at - 1], extremes[at + 1]].map((one) => one?.coefficient ?? 0);
    const isGreat = coefficient === undefined || (own ?? Math.max(...beside)) >= coefficient;
    const isWanted = (type === "either" || type === is) && height_m > over && height_m < under && isGreat;
    return isWanted && parseInstant(time) - 60 * minutes_before >= begin
      ? [{ key: `${is} ${parseInstant(time)}`, ringsAt: parseInstant(time) - 60 * minutes_before }]
      : [];
  });
}

interface Alert {
  key: string;
  /** Time by the clock of the process. */
  at: number;
}

/** Fault of a process during an evaluation: it is killed before or after storing, or its clock is wrong by seconds. */
type Fault = (look: number) => { killed?: "before" | "after"; clock?: number } | undefined;

/**
 * Evaluates a watch for a period in rounds, as the service does. Alerts with the same key count once, and are stored
 * together with the edition.
 */
function alertsOf(
  id: string,
  question: ExtremeQuestion,
  faultAt: Fault = () => undefined,
  lasting = LASTING_S,
): Alert[] {
  const period = periodOf(id);
  const alerts = new Map<string, number>();
  let edition: Edition = {};
  let availableAt = begin;
  for (let look = 0, trueTime = begin + 3; trueTime < begin + lasting; look++) {
    const { killed, clock = 0 } = faultAt(look) ?? {};
    const now = trueTime + clock;
    const reading = readAt(period, now);
    const next = extremeEdition(question, reading, edition, now);
    if (killed !== "before") {
      edition = next.edition;
      const key = next.told && `${next.told.type} ${next.told.time}`;
      if (key && !alerts.has(key)) alerts.set(key, now);
      availableAt = now + extremePause(question, reading, edition, now);
    }
    // Another process evaluates all watches of tides when it starts, and the longest pause is over by then.
    if (killed || availableAt - trueTime > MAX_PAUSE_S) availableAt = trueTime;
    trueTime += ROUND_S * Math.max(1, Math.ceil((availableAt - trueTime) / ROUND_S));
  }
  return [...alerts].map(([key, at]) => ({ key, at }));
}

const cases: [string, string, object][] = [
  ["high waters at Brest", BREST, { minutes_before: 45 }],
  [
    "low waters below 1 m",
    BREST,
    { type: "low", minutes_before: 90, conditions: [{ quantity: "tide_m", under: 1 }] },
  ],
  ["high waters above 7 m", BREST, { minutes_before: 720, conditions: [{ quantity: "tide_m", over: 7 }] }],
  ["low waters of great tides", BREST, { type: "low", minutes_before: 120, coefficient: 95 }],
  ["double high waters", "ticon:southampton-sou-gbr-da_idh", { type: "either", minutes_before: 0 }],
  ["one tide a day", "noaa:8729840", { type: "either", minutes_before: 10 }],
  ["a subordinate station", "noaa:1610367", { type: "either", minutes_before: 61 }],
];

it.each(cases)(`%s: each extreme of ${DAYS} days has one alert, at its minute`, (_, id, more) => {
  const question = asked({ station: id, ...more });
  const wanted = wantedIn(id, question);
  expect(wanted.length).toBeGreaterThan(5);
  // No alert is expected for those that would ring before the watch begins.
  const isWithin = ({ key }: Alert) => Number(key.split(" ")[1]) - 60 * question.minutes_before >= begin;
  const alerts = alertsOf(id, question).filter(isWithin);
  expect(alerts.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
  for (const [at, alert] of alerts.entries()) {
    const late = alert.at - wanted[at]!.ringsAt;
    expect(late >= 0 && late <= 2 * ROUND_S, `${alert.key} is ${late} s late`).toBe(true);
  }
});

it.each<[string, Fault]>([
  [
    "kills before and after what is stored",
    (look) => [undefined, undefined, { killed: "before" as const }, { killed: "after" as const }][look % 4],
  ],
  [
    "a clock that is set back by hours again and again",
    (look) => (look % 7 === 3 ? { clock: -((look % 5) + 1) * HOUR_S } : undefined),
  ],
  ["a clock that is a day ahead for a moment", (look) => (look % 100 === 50 ? { clock: DAY_S } : undefined)],
])("%s: each high and low water has exactly one alert", (_, fault) => {
  const question = asked({ station: BREST, type: "either", minutes_before: 30 });
  const lasting = 60 * DAY_S;
  const wanted = wantedIn(BREST, question).filter(({ ringsAt }) => ringsAt < begin + lasting - HOUR_S);
  const alerts = alertsOf(BREST, question, fault, lasting);
  const keys = new Set(alerts.map(({ key }) => key));
  expect(wanted.filter(({ key }) => !keys.has(key))).toEqual([]);
  for (const { at, key } of alerts) expect(at).toBeLessThanOrEqual(Number(key.split(" ")[1]) + LATE_S);
});

it("a week read at any time equals the same week of the whole period", () => {
  for (const [, id] of cases.slice(4)) {
    const period = periodOf(id);
    for (let day = 0; day < DAYS; day += 23) {
      const now = begin + day * DAY_S + (day % 24) * HOUR_S;
      const week = tideExtremes(catalog, catalog.station(id), { from: now - LATE_S, to: now + AHEAD_S });
      const strip = ({ time, type }: TideExtreme) => `${type} ${time}`;
      expect(week.extremes.map(strip)).toEqual(readAt(period, now).extremes.map(strip));
    }
  }
});

it("a prediction that another version of the database moves by minutes gives no second alert", () => {
  const question = asked({ station: BREST });
  const reading = readAt(periodOf(BREST), begin + DAY_S);
  const high = reading.extremes.find(({ type }) => type === "high")!;
  const now = high.time - 600;
  const { edition, told } = extremeEdition(question, reading, {}, now);
  expect(told).toBe(high);
  const moved = { ...reading, extremes: reading.extremes.map((one) => ({ ...one, time: one.time + 420 })) };
  expect(extremeEdition(question, moved, edition, now + 60).told).toBeUndefined();
});
