/**
 * Compares the tide stations of the database with their neighbours, and writes those whose times cannot be explained to
 * server/tides/withdrawn.json: `node scripts/tide-phases.ts`. Run it after a change of @neaps/tide-database; a test
 * fails when its result differs from the file.
 */
import { writeFileSync } from "node:fs";
import { type Station, stations } from "@neaps/tide-database";
import { type WaterMap, waysByWater } from "@open-metocean/geo/by-water";
import { distanceKm } from "@open-metocean/geo/sphere";
import { offsetAt } from "#lib/tides/local-day.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";

/** Reason for the withdrawal of each station, by the database's id, in order. */
export type Withdrawn = Record<string, string>;

/** Largest distance by water at which stations are compared, km. */
const REACH_KM = 30;

/** Speeds of M2 and K1, degrees an hour, and amplitudes below which noise decides their lags, metres. */
const COMPARED = [
  { name: "M2", speed: 28.9841042, least: 0.03 },
  { name: "K1", speed: 15.0410686, least: 0.02 },
] as const;

/**
 * Largest delay of a tide against a neighbour, hours, by the share of its height that is left: small in channels,
 * largest in rivers and in lagoons behind a narrow inlet. The travel time at 5 m/s is added.
 */
const LATE = [
  { left: 0.9, hours: 2.2 },
  { left: 0.55, hours: 2.8 },
  { left: 0, hours: 8 },
] as const;
const KM_IN_HOUR = 18;

/**
 * Largest difference between a delay and the clock that explains it, hours, and the times at which clocks are compared.
 */
const CLOCK_H = 0.7;
const WINTER = parseInstant("2026-01-15T12:00:00Z");
const SUMMER = parseInstant("2026-07-15T12:00:00Z");

/** Stations of one source that are nearer than this agree within the hour if its positions are right. */
const BESIDE_KM = 5;
const BESIDE_H = 1;
const LEAST_PAIRS = 10;

interface Gauge {
  station: Station;
  source: string;
  /** Amplitude and lag by constituent. */
  terms: ReadonlyMap<string, readonly [number, number]>;
}

/** Two gauges near each other, one of which confirms or contradicts the other. */
interface Pair {
  one: Gauge;
  other: Gauge;
  /** Delay of the tide at the first against the second, hours, if it cannot be explained. */
  unexplained: number | undefined;
}

/**
 * Gauges in lagoons whose mouths the coast of the map closes, so that no neighbour is near them by water. Their tides are earlier
 * than those before the lagoons by the difference of their clocks.
 */
const LAGOONS: Readonly<Record<string, string>> = {
  "ticon/cano_boqueron_no3_at_boqueron_cabo_rojo_pr-50129935-usa-usgs":
    "Its tide is 4 h earlier than at the stations near it, as its clock is: local time",
  "ticon/laguna_bahia_mosquito_no1_vieques_pr-50231500-usa-usgs":
    "Its tide is 4 h earlier than at the stations near it, as its clock is: local time",
};

/** Stations whose times their neighbours do not explain. Neighbours from other sources count first. */
export function unexplainedStations(all: readonly Station[], map: WaterMap): Withdrawn {
  const gauges = all.flatMap((station) =>
    station.kind === "tide" && station.type === "reference" ? [gaugeOf(station)] : [],
  );
  const found = new Map<Gauge, string>();
  let pairs = pairsOf(gauges, map);
  const withdraw = (gone: readonly Gauge[], reasonOf: (gauge: Gauge) => string) => {
    for (const gauge of gone) found.set(gauge, reasonOf(gauge));
    pairs = pairs.filter(({ one, other }) => !found.has(one) && !found.has(other));
  };
  const ofSource = (source: string) => gauges.filter((gauge) => gauge.source === source);

  for (;;) {
    const source = worst(sharesOf(pairs.filter(({ one, other }) => one.source !== other.source)));
    if (!source) break;
    const hours = new Map(ofSource(source).map((gauge) => [gauge, lateHours(gauge, pairs)]));
    withdraw(ofSource(source), (gauge) => {
      const late = hours.get(gauge);
      return late === undefined
        ? "Most stations of its source keep local time"
        : `Its tide is ${said(late)} at the stations near it: local time`;
    });
  }
  for (const source of new Set(gauges.map((gauge) => gauge.source)))
    if (isScattered(pairs.filter(({ one, other }) => one.source === source && other.source === source)))
      withdraw(
        ofSource(source),
        () =>
          "The times of its source do not fit their positions: those of stations side by side differ by hours",
      );
  for (;;) {
    const gauge = worstGauge(pairs);
    if (!gauge) break;
    const late = lateHours(gauge, pairs)!;
    withdraw([gauge], () => `Its tide is ${said(late)} at the stations near it, as its clock is: local time`);
  }
  for (const gauge of gauges) {
    const reason = LAGOONS[gauge.station.id];
    if (reason && !found.has(gauge)) found.set(gauge, reason);
  }
  return Object.fromEntries(
    [...found]
      .map(([{ station }, reason]) => [station.id, reason] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const said = (late: number) => `${Math.abs(Math.round(late))} h ${late > 0 ? "later" : "earlier"} than`;

function gaugeOf(station: Station): Gauge {
  const { id, harmonic_constituents } = station;
  // TICON names its sources in its ids.
  const source = id.startsWith("ticon/") ? id.slice(id.lastIndexOf("-") + 1) : id.slice(0, id.indexOf("/"));
  return {
    station,
    source,
    terms: new Map(harmonic_constituents.map(({ name, amplitude, phase }) => [name, [amplitude, phase]])),
  };
}

function pairsOf(gauges: readonly Gauge[], map: WaterMap): Pair[] {
  const ordered = gauges.toSorted((one, other) => one.station.latitude - other.station.latitude);
  const pairs: Pair[] = [];
  for (const [at, one] of ordered.entries()) {
    const near: Gauge[] = [];
    for (const other of ordered.slice(at + 1)) {
      if (other.station.latitude - one.station.latitude > REACH_KM / 110) break;
      if (distanceKm(one.station, other.station) < REACH_KM && isComparable(one, other)) near.push(other);
    }
    let way: ReturnType<typeof waysByWater> | undefined;
    for (const other of near) {
      const straight = pairOf(one, other, distanceKm(one.station, other.station));
      if (straight?.unexplained === undefined) {
        if (straight) pairs.push(straight);
        continue;
      }
      way ??= waysByWater(map, one.station, REACH_KM);
      const km = way(other.station);
      const pair = km === undefined ? undefined : pairOf(one, other, km);
      if (pair) pairs.push(pair);
    }
  }
  return pairs;
}

/** Delays of M2 and K1 at one gauge against the other, hours, where both have large enough amplitudes. */
function lagsBetween(one: Gauge, other: Gauge): { hours: number; ratio: number }[] {
  const lags: { hours: number; ratio: number }[] = [];
  // K1 comes first: its delay is unambiguous within half a day, and the delay of M2 is chosen nearest to it.
  for (const { name, speed, least } of COMPARED.toReversed()) {
    const [mine, theirs] = [one.terms.get(name), other.terms.get(name)];
    if (!mine || !theirs || mine[0] < least || theirs[0] < least) continue;
    const turn = 360 / speed;
    const hours = (mine[1] - theirs[1]) / speed;
    const expected = lags[0]?.hours ?? 0;
    lags.push({ hours: hours - turn * Math.round((hours - expected) / turn), ratio: mine[0] / theirs[0] });
  }
  return lags;
}

const isComparable = (one: Gauge, other: Gauge): boolean => lagsBetween(one, other).length > 0;

/**
 * @param km Distance by water. @returns undefined where the difference is not conclusive: more than half of the
 *   tolerance.
 */
function pairOf(one: Gauge, other: Gauge, km: number): Pair | undefined {
  const lags = lagsBetween(one, other);
  const shares = lags.map(({ hours, ratio }) => {
    const kept = hours > 0 ? ratio : 1 / ratio;
    return hours / (LATE.find(({ left }) => kept >= left)!.hours + km / KM_IN_HOUR);
  });
  if (shares.every((share) => Math.abs(share) < 0.5)) return { one, other, unexplained: undefined };
  if (!shares.every((share) => share > 1) && !shares.every((share) => share < -1)) return undefined;
  return { one, other, unexplained: lags.reduce((sum, { hours }) => sum + hours, 0) / lags.length };
}

/** Number of pairs of each gauge, and of its unexplained pairs. */
function countsOf(pairs: readonly Pair[]): Map<Gauge, { all: number; odd: number }> {
  const counts = new Map<Gauge, { all: number; odd: number }>();
  for (const { one, other, unexplained } of pairs)
    for (const gauge of [one, other]) {
      const { all, odd } = counts.get(gauge) ?? { all: 0, odd: 0 };
      counts.set(gauge, { all: all + 1, odd: odd + (unexplained === undefined ? 0 : 1) });
    }
  return counts;
}

/** Share of the gauges of each source that most of their neighbours contradict. */
function sharesOf(pairs: readonly Pair[]): Map<string, { gauges: number; odd: number }> {
  const shares = new Map<string, { gauges: number; odd: number }>();
  for (const [{ source }, { all, odd }] of countsOf(pairs)) {
    const share = shares.get(source) ?? { gauges: 0, odd: 0 };
    shares.set(source, { gauges: share.gauges + 1, odd: share.odd + (odd > all / 2 ? 1 : 0) });
  }
  return shares;
}

/** The source with the largest share of contradicted gauges. */
function worst(shares: ReadonlyMap<string, { gauges: number; odd: number }>): string | undefined {
  const [found] = [...shares]
    .filter(([, { gauges, odd }]) => gauges > 2 && odd > gauges / 2)
    .sort(([, one], [, other]) => other.odd / other.gauges - one.odd / one.gauges);
  return found?.[0];
}

/**
 * The gauge that most of its neighbours contradict by as much as its clock differs from UTC. Other contradictions come
 * from inlets, and from lagoons and canals behind them.
 */
function worstGauge(pairs: readonly Pair[]): Gauge | undefined {
  const [found] = [...countsOf(pairs)]
    .filter(
      ([gauge, { all, odd }]) => odd >= all / 2 && odd > 1 && isLocalTime(gauge, lateHours(gauge, pairs)!),
    )
    .sort(([, one], [, other]) => other.odd / other.all - one.odd / one.all);
  return found?.[0];
}

/**
 * Whether a tide is late by as much as the gauge's clock is ahead of UTC, or early by it where its times were converted
 * twice.
 */
function isLocalTime({ station }: Gauge, late: number): boolean {
  return [WINTER, SUMMER].some((time) => {
    const ahead = Math.abs(offsetAt(time, station.timezone)) / HOUR_S;
    return Math.abs(Math.abs(late) - ahead) < CLOCK_H;
  });
}

/** Whether stations of one source side by side contradict each other. */
function isScattered(own: readonly Pair[]): boolean {
  const apart = own.flatMap(({ one, other }) =>
    distanceKm(one.station, other.station) > BESIDE_KM
      ? []
      : [Math.abs(lagsBetween(one, other).at(-1)!.hours)],
  );
  const middle = apart.sort((one, other) => one - other)[apart.length >> 1];
  return apart.length >= LEAST_PAIRS && middle! > BESIDE_H;
}

/** Median delay of a gauge against the neighbours that contradict it, hours. */
function lateHours(gauge: Gauge, pairs: readonly Pair[]): number | undefined {
  const hours = pairs
    .flatMap(({ one, other, unexplained }) => {
      if (unexplained === undefined || (one !== gauge && other !== gauge)) return [];
      return [one === gauge ? unexplained : -unexplained];
    })
    .sort((one, other) => one - other);
  return hours[hours.length >> 1];
}

if (import.meta.main) {
  const withdrawn = unexplainedStations(stations, knownCoast().line);
  const file = new URL("../server/tides/withdrawn.json", import.meta.url);
  writeFileSync(file, `${JSON.stringify(withdrawn, undefined, 2)}\n`);
  console.log(`${Object.keys(withdrawn).length} stations are withdrawn`);
}
