import type { DangerArea } from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { outputsIn } from "#lib/catalog/fields.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type {
  MemberOutcome,
  PassageEnsemble,
  PassageMeta,
  PassagePlan,
} from "#lib/contract/passage-reply.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { ensembleCaution } from "#lib/ensemble/caution.ts";
import { arrivedAs } from "#lib/passage/arrival.ts";
import { fuelUsed } from "#lib/passage/fuel.ts";
import { firstMissed, gateWait, type PredictedGate, passGates } from "#lib/passage/gates.ts";
import { drivingVariables, march, type Passage, type Wanted } from "#lib/passage/march.ts";
import {
  joinEnsembles,
  memberOutcome,
  membersAtDeparture,
  memberVariables,
  orderOfMembers,
} from "#lib/passage/members.ts";
import {
  compareModels,
  joinComparisons,
  limitsWithout,
  modelVerdict,
  type Unreached,
  unknownOf,
} from "#lib/passage/model-agreement.ts";
import { type LandOnLeg, landOnRoute } from "#lib/passage/optimise/coast.ts";
import { type RouteCoast, searchCoast } from "#lib/passage/optimise/offing.ts";
import { limitsOfMembers, type PassageQuestion, planCount, withMembers } from "#lib/passage/question.ts";
import type { Leg } from "#lib/passage/route.ts";
import { stormsOnTheWay } from "#lib/passage/storms-near.ts";
import { coastToWire, knowledgeOf, legsToWire, planToWire, totalsOf } from "#lib/passage/to-wire.ts";
import { type Deciding, judge, judgePieces, orders, sortedDepartures } from "#lib/passage/verdict.ts";
import { typicalSpeed, type Weather } from "#lib/passage/vessel.ts";
import { formatInstant } from "#lib/time.ts";
import type { Grouping, NoRun } from "#server/archive/choose-run.ts";
import { besideOthers, describeRun } from "#server/archive/describe-run.ts";
import { membersWith, passageManifestOfMember, runsOfEnsemble, sizeOf } from "#server/archive/ensembles.ts";
import { passageManifestOf } from "#server/archive/one-model.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { nextTurn, turns } from "#server/platform/next-turn.ts";
import { joinProvenance } from "./meta.ts";
import { conditionsAt, WIND_HEIGHT } from "./points.ts";

interface Evaluated {
  /** Passages in the order of the departures. */
  passages: Passage[];
  /** For each passage, the variables that no run has at some piece. */
  unreached: ReadonlyMap<VariableName, Unreached>[];
  /** Runs that the weather of the pieces came from, and the times at which they answered. */
  used: UsedRuns;
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
  }: {
    gates?: readonly PredictedGate[];
    progress?: (pieces: number) => void;
  } = {},
): Promise<Evaluated> {
  const driving = drivingVariables(vessel);
  const window = acceptedTimes(now);
  const used: UsedRuns = new Map();
  const passages: Passage[] = [];
  const unreached = departures.map(() => new Map<VariableName, Unreached>());
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
      for (const { at, name, reason } of unansweredOf(wanted, names, read.groupings, window)) {
        const of = unreached[reading[at]!.index]!;
        if (!of.has(name))
          of.set(name, { why: reason === "out_of_domain" ? "outside" : "ends", time: wanted[at]!.time });
      }
      pieces += wanted.length;
      progress(pieces);
    }
    for (const [at, one] of reading.entries()) one.step = one.way.next(read.weather[at]!);
    await turn();
  }
  return { passages, unreached, used };
}

/** The places that no run answers, with the variable; outside the window of time nothing is answered. */
function* unansweredOf(
  wanted: readonly Wanted[],
  names: readonly VariableName[],
  groupings: Groupings,
  window: TimeWindow,
): Generator<{ at: number; name: VariableName; reason: NoRun }> {
  for (const [at, { time }] of wanted.entries())
    if (!isIn(window, time)) for (const name of names) yield { at, name, reason: "out_of_archive" };
  for (const [name, { unanswered }] of groupings)
    for (const { reason, indices } of unanswered) for (const at of indices) yield { at, name, reason };
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

function described(used: UsedRuns, model: string | undefined, now: number): PointMeta["provenance"] {
  return [...used].flatMap(([name, runs]) =>
    [...runs].map(([run, times]) => ({
      ...describeRun(name, run, times, times.length, WIND_HEIGHT, now),
      ...(model !== undefined && besideOthers(model, name, run, times)),
    })),
  );
}

/** Storms that passages are compared with. */
export interface KnownStorms {
  entries: readonly StormEntry[];
  areaOf(entry: StormEntry): DangerArea | undefined;
}

interface Plans {
  plans: PassagePlan[];
  /** Describes only the plans that were made in this call. */
  meta: PassageMeta;
  /** Position after the last plan that was made. */
  to: number;
}

/** Inputs that plans are compared with, besides the weather. */
export interface Surroundings {
  storms?: KnownStorms | undefined;
  /** Predicted gates of the question. */
  gates?: readonly PredictedGate[];
  /** Called with the share of the work that is done. */
  progress?: (share: number) => void;
}

/** The question with the members of its ensemble in a manifest; the same question if it names none. */
export function questionOfMembers(question: PassageQuestion, manifest: Manifest): PassageQuestion {
  const { ensemble, limits } = question;
  if (ensemble === undefined) return question;
  const members = membersWith(manifest, ensemble, "wind");
  const runs = members.flatMap((member) => passageManifestOfMember(manifest, ensemble, member).runs);
  const known = new Set(runs.map(({ fields }) => fields));
  const has = (name: VariableName) => [...known].some((fields) => outputsIn(fields, name).length > 0);
  return withMembers(question, members, limitsWithout(limits, has));
}

/** Departures that are evaluated side by side. */
export const SIDE_BY_SIDE = 50;

/**
 * Some plans of a question: evaluated, judged, and in the form of POST /passages/evaluate. There is one for each
 * departure, and if the question names models, those of the first model, then of the next. All plans of an answer are of
 * one model, so there are fewer where the model has no more. After these come those of the members of an ensemble, one member
 * after the other, of which the answer has only how they go, in its meta.
 *
 * @param from Position of the first plan. @param to Position after the last one.
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
  const { legs, ship, withPieces, arrival, highWater, fuel, ensemble, members } = question;
  const start = legs[0]!.at(0);
  const { length } = question.departures;
  const planner = Math.floor(from / length);
  const model = question.models[planner];
  const member = members[planner - Math.max(1, question.models.length)];
  const limits = member === undefined ? question.limits : limitsOfMembers(question);
  const departures = question.departures.slice(from % length, (from % length) + to - from);
  const expected = Math.max(1, (question.places / planCount(question)) * departures.length);
  const { passages, unreached, used } = await evaluatePassages(
    source,
    member !== undefined
      ? passageManifestOfMember(manifest, ensemble!, member)
      : model !== undefined
        ? passageManifestOf(manifest, model)
        : manifest,
    member === undefined
      ? question
      : { ...question, variables: memberVariables({ vessel: question.vessel, limits }) },
    departures,
    now,
    signal,
    { gates, progress: (pieces) => progress(Math.min(1, pieces / expected)) },
  );
  const { distance_nm, legs: wireLegs } = legsToWire(legs);
  const miles = legs.reduce((sum, leg) => sum + leg.miles, 0);
  const { land, nearest, close } = await coastOf(legs, signal);
  const plans: PassagePlan[] = [];
  const outcomes: MemberOutcome[] = [];
  const comparison: NonNullable<PassageMeta["comparison"]> = [];
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
      model,
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
    const plan = planToWire(judged, { limits, miles, withPieces: withPieces && member === undefined });
    if (member === undefined) plans.push(plan);
    if (member === undefined && model === undefined) continue;
    const unknown = unknownOf(passage.pieces, limits, unreached[index]!);
    const decidingLeg = legOf(judged.deciding, passage);
    if (member !== undefined) {
      outcomes.push(memberOutcome({ member, plan, pieces, decidingLeg, unknown, legs: legs.length }));
      continue;
    }
    const says = modelVerdict(model!, plan, decidingLeg, unknown);
    comparison.push(compareModels(plan.departure, [says]));
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
    provenance: member === undefined ? described(used, model, now) : [],
    ...(model !== undefined && { comparison }),
    ...(ensemble !== undefined && {
      ensemble: ensembleMeta(manifest, question, member, used, departures, outcomes),
    }),
    knowledge: knowledgeOf({ withStorms: storms !== undefined, withFuel: fuel !== undefined, gates }),
  };
  return { plans, meta, to: from + departures.length };
}

/** The plans of a question one part after the other, joined. */
export async function allPlans(
  source: PointSource,
  manifest: Manifest,
  question: PassageQuestion,
  now: number,
  signal: AbortSignal,
  surroundings: Surroundings,
): Promise<Plans> {
  const count = planCount(question);
  const some = (from: number) =>
    plansOf(source, manifest, question, [from, from + SIDE_BY_SIDE], now, signal, surroundings);
  let all = await some(0);
  while (all.to < count) {
    const { plans, meta, to } = await some(all.to);
    all = { plans: [...all.plans, ...plans], meta: joinPassageMeta(all.meta, meta), to };
  }
  return all;
}

/** The part of an answer about the members of an ensemble, at some departures. */
function ensembleMeta(
  manifest: Manifest,
  { ensemble, members, unjudged, legs }: PassageQuestion,
  member: number | undefined,
  used: UsedRuns,
  departures: readonly number[],
  outcomes: readonly MemberOutcome[],
): PassageEnsemble {
  const runs = member === undefined ? [] : [...(used.get("wind")?.keys() ?? [])];
  const at = outcomes.map((one, index) =>
    membersAtDeparture(formatInstant(departures[index]!), [one], legs.length),
  );
  return {
    ensemble: ensemble!,
    members: [...members],
    unjudged_limits: [...unjudged],
    size: Math.max(members.length, sizeOf(manifest, ensemble!)),
    runs: runs.map(({ id, source, model, referenceTime, provenance }) => ({
      run: id,
      source,
      model,
      reference_time: formatInstant(referenceTime),
      members: [member!],
      ...(provenance === "synthetic" && { synthetic: true as const }),
    })),
    departures: at,
    order: orderOfMembers(at),
    caution: ensembleCaution(runsOfEnsemble(manifest, ensemble!)),
  };
}

interface CoastOfRoute extends RouteCoast {
  land: LandOnLeg[];
}

const coasts = new WeakMap<readonly Leg[], CoastOfRoute>();

/** Land and coast on the way, which are the same for all plans of a question. */
async function coastOf(legs: readonly Leg[], signal: AbortSignal): Promise<CoastOfRoute> {
  const known = coasts.get(legs);
  if (known) return known;
  const coast = knownCoast().line;
  const land = landOnRoute(legs, coast);
  const turn = turns(signal);
  const search = searchCoast(legs, coast);
  let step = search.next();
  for (; !step.done; step = search.next()) await turn();
  const found = { ...step.value, land };
  coasts.set(legs, found);
  return found;
}

/** The leg of what decided a verdict. */
function legOf(deciding: Deciding | null, { pieces }: Passage): number | null {
  const { land, close, piece } = deciding ?? {};
  return land?.leg ?? close?.leg ?? pieces[piece ?? -1]?.leg ?? null;
}

/** Joins the meta of the first plans with that of the plans after them. */
export function joinPassageMeta(meta: PassageMeta, more: PassageMeta): PassageMeta {
  const departures = [...meta.departures, ...more.departures];
  return {
    ...meta,
    order: orderOf(departures),
    departures,
    provenance: joinProvenance(meta.provenance, more.provenance),
    ...(meta.comparison && { comparison: joinComparisons(meta.comparison, more.comparison ?? []) }),
    ...(meta.ensemble && more.ensemble && { ensemble: joinEnsembles(meta.ensemble, more.ensemble) }),
  };
}

type Compared = PassageMeta["departures"][number];

function comparedOf({ model, departure, verdict, ending, no_forecast_from, totals }: PassagePlan): Compared {
  return {
    ...(model !== undefined && { model }),
    departure,
    verdict,
    duration_s: totals.duration_s,
    mean_ratio: totals.mean_ratio,
    is_whole: ending === "arrived" && no_forecast_from === null,
  };
}

/** The orders of the plans of each model, one model after the other. */
function orderOf(plans: readonly Compared[]): PassageMeta["order"] {
  const all: PassageMeta["order"] = { fastest: [], smoothest: [], balanced: [], latest: [] };
  for (let from = 0, to = 0; from < plans.length; from = to) {
    while (plans[to]?.model === plans[from]!.model && to < plans.length) to++;
    const sorted = sortedDepartures(
      plans.slice(from, to).map(({ verdict, duration_s, mean_ratio, is_whole }) => ({
        verdict,
        isWhole: is_whole,
        seconds: duration_s,
        meanRatio: mean_ratio,
      })),
    );
    for (const name of orders) all[name].push(...sorted[name].map((at) => from + at));
  }
  return all;
}
