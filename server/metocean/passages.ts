import type { DangerArea } from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { arrivedAs } from "#lib/passage/arrival.ts";
import { fuelUsed } from "#lib/passage/fuel.ts";
import { firstMissed, gateWait, type PredictedGate, passGates } from "#lib/passage/gates.ts";
import { drivingVariables, march, type Passage, type Wanted } from "#lib/passage/march.ts";
import { landOnRoute } from "#lib/passage/optimise/coast.ts";
import { searchCoast } from "#lib/passage/optimise/offing.ts";
import type { PassageQuestion } from "#lib/passage/question.ts";
import { stormsOnTheWay } from "#lib/passage/storms-near.ts";
import { coastToWire, knowledgeOf, legsToWire, planToWire, totalsOf } from "#lib/passage/to-wire.ts";
import { judge, judgePieces, sortedDepartures } from "#lib/passage/verdict.ts";
import { typicalSpeed, type Weather } from "#lib/passage/vessel.ts";
import type { Grouping } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { nextTurn, turns } from "#server/platform/next-turn.ts";
import { describeRun, joinProvenance } from "./meta.ts";
import { conditionsAt, WIND_HEIGHT } from "./points.ts";

interface Evaluated {
  /** Passages in the order of the departures. */
  passages: Passage[];
  /** Runs that the weather of the pieces came from. */
  provenance: PointMeta["provenance"];
}

/**
 * Evaluates departures side by side: all of them advance by a piece, then the weather of all is read together, so that
 * chunks of the archive that their ways share are read once. Times outside the window of POST /MetOcean have no
 * weather.
 *
 * @param departures Unix seconds.
 * @param now Weather clock when the request was accepted, Unix seconds.
 * @param options Gates of the route; `progress` is called with the number of pieces so far.
 */
export async function evaluatePassages(
  source: PointSource,
  manifest: Manifest,
  { legs, vessel, variables }: Pick<PassageQuestion, "legs" | "vessel" | "variables">,
  departures: readonly number[],
  now: number,
  signal: AbortSignal,
  {
    gates = [],
    progress = () => {},
  }: { gates?: readonly PredictedGate[]; progress?: (pieces: number) => void } = {},
): Promise<Evaluated> {
  const driving = drivingVariables(vessel);
  const window = acceptedTimes(now);
  const used: UsedRuns = new Map();
  const passages: Passage[] = [];
  let pieces = 0;
  const turn = turns(signal);
  let going = departures.map((departure, index) => {
    const way = march(legs, vessel, departure, undefined, (waypoint, time) =>
      gateWait(gates, waypoint, time),
    );
    return { index, way, step: way.next() };
  });
  while (true) {
    going = going.filter(({ index, step }) => {
      if (step.done) passages[index] = step.value;
      return !step.done;
    });
    if (going.length === 0) break;
    // Each piece needs two readings of its weather. All passages take the same one of the two at a time, except those
    // that began with the other one.
    const whole = !going.some(({ step }) => !step.done && !step.value.whole);
    const reading = going.filter(({ step }) => !step.done && step.value.whole === whole);
    const wanted = reading.map(({ step }) => step.value as Wanted);
    const names = whole ? variables : driving;
    const read = await weatherAt(source, manifest, wanted, names, window, now, signal);
    if (whole) {
      count(used, wanted, read.groupings, window);
      pieces += wanted.length;
      progress(pieces);
    }
    for (const [at, one] of reading.entries()) one.step = one.way.next(read.weather[at]!);
    await turn();
  }
  return { passages, provenance: described(used, now) };
}

type TimeWindow = ReturnType<typeof acceptedTimes>;

const isIn = ({ first, last }: TimeWindow, time: number) => time >= first && time <= last;

type Groupings = ReadonlyMap<VariableName, Grouping>;

/**
 * Returns the weather of places in the order asked. Outside the window of time nothing is known and nothing is read.
 */
export async function weatherAt(
  source: PointSource,
  manifest: Manifest,
  wanted: readonly Wanted[],
  names: readonly VariableName[],
  window: TimeWindow,
  now: number,
  signal: AbortSignal,
): Promise<{ weather: Weather[]; groupings: Groupings }> {
  if (!wanted.some(({ time }) => isIn(window, time)))
    return { weather: wanted.map(() => unknown(names)), groupings: new Map() };
  const columns = columnsOf(wanted);
  const { conditions, groupings } = await conditionsAt(manifest, source, columns, names, now, signal);
  const weather = conditions.map((one, index): Weather => {
    const time = columns.time[index]!;
    return isIn(window, time) ? (one as Weather) : emptied(one);
  });
  return { weather, groupings };
}

function unknown(names: readonly VariableName[]): Weather {
  return Object.fromEntries(
    names.flatMap((name) => variable(name).outputs.map(({ point }) => [point, null])),
  );
}

function emptied(conditions: Readonly<Record<string, number | null>>): Weather {
  return Object.fromEntries(Object.keys(conditions).map((key) => [key, null]));
}

function columnsOf(wanted: readonly Wanted[]): PointColumns {
  return {
    count: wanted.length,
    latitude: Float64Array.from(wanted, ({ latitude }) => latitude),
    longitude: Float64Array.from(wanted, ({ longitude }) => longitude),
    time: Float64Array.from(wanted, ({ time }) => time),
  };
}

type UsedRuns = Map<VariableName, Map<Run, number[]>>;

/** Counts the runs that answer. A run that has times outside the window answers nothing there. */
function count(used: UsedRuns, wanted: readonly Wanted[], groupings: Groupings, window: TimeWindow): void {
  for (const [name, { groups }] of groupings) {
    const runs = used.get(name) ?? new Map<Run, number[]>();
    used.set(name, runs);
    for (const { run, indices } of groups) {
      for (const index of indices) {
        const { time } = wanted[index]!;
        if (!isIn(window, time)) continue;
        const times = runs.get(run);
        if (times) times.push(time);
        else runs.set(run, [time]);
      }
    }
  }
}

function described(used: UsedRuns, now: number): PointMeta["provenance"] {
  return [...used].flatMap(([name, runs]) =>
    [...runs].map(([run, times]) => describeRun(name, run, times, times.length, WIND_HEIGHT, now)),
  );
}

/** Storms that passages are compared with. */
export interface KnownStorms {
  entries: readonly StormEntry[];
  areaOf(entry: StormEntry): DangerArea | undefined;
}

interface Plans {
  plans: PassagePlan[];
  /** Describes only the departures that were evaluated in this call. */
  meta: PassageMeta;
}

/** Inputs that plans are compared with, besides the weather. */
export interface Surroundings {
  storms?: KnownStorms | undefined;
  /** Predicted gates of the question. */
  gates?: readonly PredictedGate[];
  /** Called with the share of the work that is done. */
  progress?: (share: number) => void;
}

/** Departures that are evaluated side by side. */
export const SIDE_BY_SIDE = 50;

/**
 * Plans of some departures of a question: evaluated, judged, and in the form of POST /passages/evaluate.
 *
 * @param from Position of the first departure. @param to Position after the last one.
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export async function plansOf(
  source: PointSource,
  manifest: Manifest,
  question: PassageQuestion,
  [from, to]: readonly [from: number, to: number],
  now: number,
  signal: AbortSignal,
  { storms, gates = [], progress = () => {} }: Surroundings = {},
): Promise<Plans> {
  const { legs, limits, ship, withPieces, arrival, highWater, fuel } = question;
  const start = legs[0]!.at(0);
  const departures = question.departures.slice(from, to);
  const expected = Math.max(1, (question.places / question.departures.length) * departures.length);
  const { passages, provenance } = await evaluatePassages(
    source,
    manifest,
    question,
    departures,
    now,
    signal,
    { gates, progress: (pieces) => progress(Math.min(1, pieces / expected)) },
  );
  const { distance_nm, legs: wireLegs } = legsToWire(legs);
  const miles = legs.reduce((sum, leg) => sum + leg.miles, 0);
  const coast = knownCoast().line;
  const land = landOnRoute(legs, coast);
  const turn = turns(signal);
  const search = searchCoast(legs, coast);
  let step = search.next();
  for (; !step.done; step = search.next()) await turn();
  const { nearest, close } = step.value;
  const plans: PassagePlan[] = [];
  for (const [index, departure] of departures.entries()) {
    // A passage of hundreds of pieces takes some milliseconds, and more with storms.
    await nextTurn();
    signal.throwIfAborted();
    const passage = passages[index]!;
    const pieces = judgePieces(passage.pieces, limits, ship);
    const near = storms && stormsOnTheWay(storms.entries, passage, storms.areaOf, limits, now);
    const passed = passGates(gates, passage.passes);
    const arrived =
      arrival && arrivedAs(arrival, passage, { ...start, time: departure }, highWater && passed.at(-1));
    const stormsWithoutForecast = near?.unforecast;
    const use = fuel && fuelUsed(fuel, passage.pieces);
    const judged = {
      departure,
      passage,
      pieces,
      totals: totalsOf(pieces, limits, use),
      ...judge(passage, pieces, {
        storms: near?.near ?? [],
        stormsWithoutForecast,
        land,
        close,
        missed: firstMissed(passed),
        arrival: arrived?.missed,
        fuel: use,
      }),
      close,
      storms: near?.wire,
      gates: passed,
      arrive: arrived?.wire,
    };
    plans.push(planToWire(judged, { limits, miles, withPieces }));
  }
  const table = question.vessel.kind === "motor" ? question.vessel.table : undefined;
  const compared = plans.map(comparedOf);
  const meta = {
    distance_nm,
    legs: wireLegs,
    ...coastToWire(land, nearest),
    typical_speed_kt: Math.round(100 * typicalSpeed(question.vessel)) / 100,
    ...(table && { motor_table: table }),
    limits,
    ...(gates.length > 0 && { gates: gates.map(({ about }) => about) }),
    order: orderOf(compared),
    departures: compared,
    provenance,
    knowledge: knowledgeOf({ withStorms: storms !== undefined, withFuel: fuel !== undefined, gates }),
  };
  return { plans, meta };
}

/** Joins the meta of the first departures with that of the departures after them. */
export function joinPassageMeta(meta: PassageMeta, more: PassageMeta): PassageMeta {
  const departures = [...meta.departures, ...more.departures];
  return {
    ...meta,
    order: orderOf(departures),
    departures,
    provenance: joinProvenance(meta.provenance, more.provenance),
  };
}

type Compared = PassageMeta["departures"][number];

function comparedOf({ departure, verdict, ending, no_forecast_from, totals }: PassagePlan): Compared {
  return {
    departure,
    verdict,
    duration_s: totals.duration_s,
    mean_ratio: totals.mean_ratio,
    is_whole: ending === "arrived" && no_forecast_from === null,
  };
}

function orderOf(departures: readonly Compared[]): PassageMeta["order"] {
  return sortedDepartures(
    departures.map(({ verdict, duration_s, mean_ratio, is_whole }) => ({
      verdict,
      isWhole: is_whole,
      seconds: duration_s,
      meanRatio: mean_ratio,
    })),
  );
}
