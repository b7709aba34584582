import { dangerAt } from "@open-metocean/storms/danger";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { noWayByWater, type OptimiseRequest } from "#lib/contract/passage.ts";
import type { BetterRoute, PassageEnsemble, PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { gateWait, type PredictedGate, passGates } from "#lib/passage/gates.ts";
import { drivingVariables, legsOf, type Wanted, type Waypoint } from "#lib/passage/march.ts";
import { joinEnsembles } from "#lib/passage/members.ts";
import { joinComparisons } from "#lib/passage/model-agreement.ts";
import { betterRoute, type Found, isNearCoast } from "#lib/passage/optimise/better-route.ts";
import { DETOUR } from "#lib/passage/optimise/isochrones.ts";
import {
  differenceOf,
  differenceText,
  isWorthwhile,
  missedGates,
  type Order,
  scoreOf,
} from "#lib/passage/optimise/order.ts";
import { searchOffing } from "#lib/passage/optimise/sea-distance.ts";
import {
  judging,
  limitsOfMembers,
  type PassageQuestion,
  questionOf,
  searchedEnds,
} from "#lib/passage/question.ts";
import { legsToWire } from "#lib/passage/to-wire.ts";
import type { Weather } from "#lib/passage/vessel.ts";
import { membersWith, passageManifestOfMember } from "#server/archive/ensembles.ts";
import { passageManifestOf } from "#server/archive/one-model.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { nextTurn, turns } from "#server/platform/next-turn.ts";
import {
  evaluatePassages,
  joinPassageMeta,
  type KnownStorms,
  plansOf,
  questionOfMembers,
  type Surroundings,
  weatherAt,
} from "./passages.ts";

/** Share of the work that is done when the route is found; the rest is making both plans. */
const FOUND = 0.95;

/** Reports that there is no way by water, or that none was found that the vessel can sail. */
class NoWayByWaterError extends ProcessingError {
  override readonly name = "NoWayByWaterError";
  constructor() {
    super(
      `${noWayByWater} from the first to the last waypoint on the coast of the map: canals, locks, most rivers, and some straits ` +
        "of less than about half a mile are not in it. Plan the parts on either side separately",
    );
  }
}

interface BetterPlans {
  /** The user's own, and the better one; where models are named, those of the first model, then of the next. */
  plans: PassagePlan[];
  meta: PassageMeta;
}

/**
 * The user's own route and a better one, both evaluated by the same code, in the form of POST /passages/optimise. Where
 * the request names models, each of them searches a route, which is checked on all of them.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export async function betterPlans(
  source: PointSource,
  manifest: Manifest,
  request: OptimiseRequest,
  now: number,
  signal: AbortSignal,
  { storms, gates = [], progress = () => {} }: Surroundings = {},
): Promise<BetterPlans> {
  const question = questionOf(request);
  const { models, ensemble } = question;
  const asked = { source, manifest, request, now, signal, storms };
  if (ensemble !== undefined) return betterOfMembers({ ...asked, question, progress }, gates);
  if (models.length === 0) {
    const { plans, meta, better } = await betterOf({ ...asked, question, progress }, gates);
    return { plans, meta: { ...meta, better } };
  }
  const found: OneBetter[] = [];
  for (const [at, model] of models.entries()) {
    const share = (done: number) => progress((at + done) / models.length);
    found.push(
      await betterOf({ ...asked, question: { ...question, models: [model] }, progress: share }, gates),
    );
  }
  const joined = found.map(({ meta }) => meta).reduce(joinPassageMeta);
  const routes: NonNullable<PassageMeta["routes"]> = [];
  for (const [at, { better, legs, gates }] of found.entries()) {
    let checked: NonNullable<PassageMeta["comparison"]> = [];
    for (const position of models.keys()) {
      const on = { ...question, legs, withPieces: false, variables: judging };
      const span = [position, position + 1] as const;
      const { meta } = await plansOf(source, manifest, on, span, now, signal, { storms, gates });
      checked = joinComparisons(checked, meta.comparison ?? []);
    }
    routes.push({ model: models[at]!, ...better, checked: checked[0]! });
  }
  return { plans: found.flatMap(({ plans }) => plans), meta: { ...joined, routes } };
}

/** Share of the work with an ensemble that is done when the control has found its route. */
const SEARCHED = 0.6;

/**
 * The own route and a better one of the control of an ensemble, and how both go in its members. The route is not searched in the
 * mean: where members differ about a direction the mean wind is weaker than in each of them, so that a sailing vessel would
 * be becalmed in a weather that no member has.
 */
async function betterOfMembers(asked: Searched, gates: readonly PredictedGate[]): Promise<BetterPlans> {
  const { source, manifest, question, now, signal, storms, progress } = asked;
  const ensemble = question.ensemble!;
  const members = membersWith(manifest, ensemble, "wind");
  const control = passageManifestOfMember(manifest, ensemble, members[0]!);
  const limits = limitsOfMembers(questionOfMembers(question, manifest));
  const alone = { ...question, limits, ensemble: undefined };
  const {
    plans,
    meta,
    better,
    legs,
    gates: moved,
  } = await betterOf(
    { ...asked, manifest: control, question: alone, progress: (share) => progress(SEARCHED * share) },
    gates,
  );
  let done = 0;
  const judged = async (legs: PassageQuestion["legs"], gates: readonly PredictedGate[]) => {
    const on = questionOfMembers({ ...question, legs }, manifest);
    let found: PassageEnsemble | undefined;
    // The first plan is that of the best forecast, which is not asked here.
    for (let from = 1; from <= members.length; from++) {
      const one = await plansOf(source, manifest, on, [from, from + 1], now, signal, { storms, gates });
      found = found ? joinEnsembles(found, one.meta.ensemble!) : one.meta.ensemble!;
      progress(SEARCHED + ((1 - SEARCHED) * ++done) / (2 * members.length));
      await nextTurn();
    }
    return found!;
  };
  const own = await judged(question.legs, gates);
  const there = await judged(legs, moved);
  return {
    plans,
    meta: { ...meta, better, ensemble: { ...own, better: there.departures[0]! } },
  };
}

interface OneBetter extends BetterPlans {
  better: BetterRoute;
  /** The legs of the better route, and its gates. */
  legs: PassageQuestion["legs"];
  gates: readonly PredictedGate[];
}

/** The own route and a better one, of the model that the question names, or of none. The meta compares the own plan. */
async function betterOf(
  { source, manifest: whole, request, question: own, now, signal, storms, progress }: Searched,
  gates: readonly PredictedGate[],
): Promise<OneBetter> {
  const [model = BEST] = own.models;
  const manifest = passageManifestOf(whole, model);
  const asked = { source, manifest, request, question: own, now, signal, storms, progress };
  const found =
    gates.length > 0 ? await searchByGates(asked, gates) : { ...(await search(asked)), gates: [] };
  const plansFor = (question: PassageQuestion, gates: readonly PredictedGate[]) =>
    plansOf(source, whole, question, [0, 1], now, signal, { storms, gates });
  const before = await plansFor(own, gates);
  const legs = legsOf(found.route);
  const after = await plansFor({ ...own, legs }, found.gates);
  const [one, other] = [before.plans[0]!, after.plans[0]!];
  const both = (of: "over" | "weighted") => ({
    own: Math.round(found.own[of]),
    better: Math.round(found.score[of]),
  });
  const over = both("over");
  const weighted = both("weighted");
  const better: BetterRoute = {
    objective: request.objective,
    origin: found.origin,
    keeps_limits: found.score.arrives && over.better === 0 && missedGates(other) === 0,
    over_limits_s: over,
    weighted_over_limits_s: weighted,
    own_crosses_land: found.ownCrossesLand,
    route: found.route.map(({ latitude, longitude, leg }, at) => {
      const gate = found.gates.find(({ waypoint }) => waypoint === at)?.gate;
      return { latitude, longitude, leg, ...(gate && { gate }) };
    }),
    distance_nm: legsToWire(legs).distance_nm,
    difference: differenceOf(one.totals, other.totals, over),
    text:
      found.origin === "own"
        ? "nothing better than the own route was found"
        : differenceText(one, other, over, weighted),
  };
  const { comparison: _, ...afterwards } = after.meta;
  const meta = joinPassageMeta(before.meta, afterwards);
  progress(1);
  return {
    plans: [one, other],
    meta: { ...meta, knowledge: [...meta.knowledge, LAND_KNOWN] },
    better,
    legs,
    gates: found.gates,
  };
}

const LAND_KNOWN =
  "The better route keeps clear of the coast that the map shows (OpenStreetMap, 2017) by up to 3 n mi, except in straits and in the first and last 10 n mi, " +
  "and by 1 n mi wherever there is room, except within 5 n mi of the ends and gates: " +
  "rocks and islets that it does not show, and all depths, are not seen; " +
  "it is a proposal to be checked on the chart";

interface Searched {
  source: PointSource;
  manifest: Manifest;
  request: OptimiseRequest;
  question: PassageQuestion;
  now: number;
  signal: AbortSignal;
  storms: KnownStorms | undefined;
  progress: (share: number) => void;
}

/**
 * Finds the best route by way of the gates, leg by leg: each leg starts when the vessel, which waits if needed, passes
 * the gate before it. The user's own route stands if it passes as many gates and nothing else is better.
 */
async function searchByGates(
  asked: Searched,
  gates: readonly PredictedGate[],
): Promise<Found & { gates: readonly PredictedGate[] }> {
  const { source, manifest, request, question, now, signal, progress } = asked;
  const waiting = gates.map((one) => ({ ...one, gate: { ...one.gate, wait: true } }));
  const ends = searchedEnds(request.route);
  const parts = ends.slice(1).map((end, at) => request.route.slice(ends[at], end + 1));
  let time = question.departures[0]! + gateWait(waiting, 0, question.departures[0]!);
  const route: Waypoint[] = [request.route[0]!];
  const moved: PredictedGate[] = waiting.filter(({ waypoint }) => waypoint === 0);
  const found: Found[] = [];
  for (const [at, part] of parts.entries()) {
    const isLost = found.some(({ score }) => !score.arrives);
    const one = isLost
      ? undefined
      : await search({
          ...asked,
          request: { ...request, route: part },
          question: { ...question, departures: [time] },
          progress: (share) => progress((at + share) / parts.length),
        });
    if (one) {
      found.push(one);
      time += one.score.seconds;
    }
    route.push(...(one?.route ?? part).slice(1));
    const end = ends[at + 1]!;
    time += gateWait(waiting, end, time);
    for (const gate of waiting) if (gate.waypoint === end) moved.push(asAt(gate, route.length - 1));
  }
  const order = orderOf(asked);
  const scored = async (route: readonly Waypoint[], gates: readonly PredictedGate[]) => {
    const tried = { ...question, legs: legsOf(route), variables: judging };
    const [departure] = question.departures;
    const { passages } = await evaluatePassages(source, manifest, tried, [departure!], now, signal, {
      gates,
    });
    const missed = passGates(gates, passages[0]!.passes).filter(({ wire }) => wire.holds !== true).length;
    const score = scoreOf(passages[0]!, departure!, order);
    return { missed, score: { ...score, isNearCoast: isNearCoast(route, knownCoast().line) } };
  };
  const [own, better] = [await scored(request.route, gates), await scored(route, moved)];
  const ownCrossesLand = found.some((one) => one.ownCrossesLand);
  const isBetter =
    own.missed === better.missed ? isWorthwhile(better.score, own.score) : better.missed < own.missed;
  if (!ownCrossesLand && !isBetter)
    return {
      route: [...request.route],
      gates,
      origin: "own",
      score: own.score,
      own: own.score,
      ownCrossesLand,
    };
  const origin = found.find((one) => one.origin !== "own")?.origin ?? "wait";
  return { route, gates: moved, origin, score: better.score, own: own.score, ownCrossesLand };
}

/** The same gate at another position of the route. */
const asAt = (gate: PredictedGate, waypoint: number): PredictedGate => ({
  ...gate,
  waypoint,
  about: { ...gate.about, waypoint },
});

function orderOf({ request, question, storms }: Searched): Order {
  const areas = storms?.entries.map((entry) => dangerAt(entry, storms.areaOf(entry))) ?? [];
  return {
    limits: question.limits,
    objective: request.objective,
    stormsAt: (at) => areas.flatMap((distance) => distance(at, at.time) ?? []),
  };
}

async function search(asked: Searched): Promise<Found> {
  const { source, manifest, request, question, now, signal, progress } = asked;
  const { vessel, departures } = question;
  const turn = turns(signal);
  const [from, to] = [request.route[0]!, request.route.at(-1)!];
  const ways = searchOffing(knownCoast(), from, to, DETOUR);
  let way = ways.next();
  for (; !way.done; way = ways.next()) await turn();
  if (!way.value) throw new NoWayByWaterError();
  const { coast, sea } = way.value;
  let done = 0;
  const route = betterRoute({
    own: request.route,
    departure: departures[0]!,
    vessel,
    order: orderOf(asked),
    coast,
    sea,
    progress: (share) => {
      done = share;
    },
  });
  const driving = drivingVariables(vessel);
  const window = acceptedTimes(now);
  const read = async (places: readonly Wanted[]): Promise<readonly Weather[]> => {
    const names: readonly VariableName[] = places.some(({ whole }) => whole) ? judging : driving;
    return (await weatherAt(source, manifest, places, names, window, now, signal)).weather;
  };
  let step = route.next();
  while (!step.done) {
    progress(FOUND * done);
    step = route.next(await read(step.value));
    await turn();
  }
  return step.value;
}
