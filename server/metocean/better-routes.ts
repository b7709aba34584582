import { acceptedTimes } from "#lib/catalog/datasets.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { noWayByWater, type OptimiseRequest } from "#lib/contract/passage.ts";
import type { BetterRoute, PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { drivingVariables, legsOf, type Wanted } from "#lib/passage/march.ts";
import { betterRoute, type Found } from "#lib/passage/optimise/better-route.ts";
import { DETOUR } from "#lib/passage/optimise/isochrones.ts";
import { differenceOf, differenceText } from "#lib/passage/optimise/order.ts";
import { searchSea } from "#lib/passage/optimise/sea-distance.ts";
import { judging, type PassageQuestion, questionOf } from "#lib/passage/question.ts";
import { legsToWire } from "#lib/passage/to-wire.ts";
import type { Weather } from "#lib/passage/vessel.ts";
import { dangerAt } from "#lib/storms/danger.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { turns } from "#server/platform/next-turn.ts";
import { joinPassageMeta, type KnownStorms, knownCoast, plansOf, weatherAt } from "./passages.ts";

/** Share of the work that is done when the route is found; the rest is making both plans. */
const FOUND = 0.95;

/** There is no way by water, or none was found that the vessel can sail. */
class NoWayByWaterError extends ProcessingError {
  override readonly name = "NoWayByWaterError";
  constructor() {
    super(
      `${noWayByWater} from the first to the last waypoint on a coast of 1:10 million: canals, locks, rivers and straits ` +
        "of less than about half a mile are not in it. Plan the parts on either side by themselves",
    );
  }
}

interface BetterPlans {
  /** The user's own, and the better one. */
  plans: PassagePlan[];
  meta: PassageMeta;
}

/**
 * The user's own route and a better one, both evaluated by the same code, in the form of POST /passages/optimise.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 * @param progress Called with the share of the work that is done.
 */
export async function betterPlans(
  source: PointSource,
  manifest: Manifest,
  request: OptimiseRequest,
  now: number,
  signal: AbortSignal,
  { storms, progress = () => {} }: { storms?: KnownStorms; progress?: (share: number) => void } = {},
): Promise<BetterPlans> {
  const own = questionOf(request);
  const found = await search({ source, manifest, request, question: own, now, signal, storms, progress });
  const plansFor = (question: PassageQuestion) =>
    plansOf(source, manifest, question, [0, 1], now, signal, { storms });
  const before = await plansFor(own);
  const legs = legsOf(found.route);
  const after = await plansFor({ ...own, legs });
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
    keeps_limits: found.score.arrives && over.better === 0,
    over_limits_s: over,
    weighted_over_limits_s: weighted,
    own_crosses_land: found.ownCrossesLand,
    route: found.route.map(({ latitude, longitude, leg }) => ({ latitude, longitude, leg })),
    distance_nm: legsToWire(legs).distance_nm,
    difference: differenceOf(one.totals, other.totals, over),
    text:
      found.origin === "own"
        ? "nothing better than the own route was found"
        : differenceText(one, other, over, weighted),
  };
  const meta = joinPassageMeta(before.meta, after.meta);
  progress(1);
  return {
    plans: [one, other],
    meta: { ...meta, knowledge: [...meta.knowledge, LAND_KNOWN], better },
  };
}

const LAND_KNOWN =
  "The better route keeps clear of the coast that the map shows (Natural Earth 1:10 million), by up to 3 n mi but for straits and the first and last 10 n mi: " +
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

async function search(asked: Searched): Promise<Found> {
  const { source, manifest, request, question, now, signal, storms, progress } = asked;
  const { vessel, limits, departures } = question;
  const turn = turns(signal);
  const [from, to] = [request.route[0]!, request.route.at(-1)!];
  const coast = knownCoast().near([from, to]);
  const ways = searchSea(coast, from, to, DETOUR);
  let way = ways.next();
  for (; !way.done; way = ways.next()) await turn();
  if (!way.value) throw new NoWayByWaterError();
  const areas = storms?.entries.map((entry) => dangerAt(entry, storms.areaOf(entry))) ?? [];
  const route = betterRoute({
    own: request.route,
    departure: departures[0]!,
    vessel,
    order: {
      limits,
      objective: request.objective,
      stormsAt: (at) => areas.flatMap((distance) => distance(at, at.time) ?? []),
    },
    coast,
    sea: way.value,
  });
  const driving = drivingVariables(vessel);
  const window = acceptedTimes(now);
  const read = async (places: readonly Wanted[]): Promise<readonly Weather[]> => {
    const names: readonly VariableName[] = places.some(({ whole }) => whole) ? judging : driving;
    return (await weatherAt(source, manifest, places, names, window, now, signal)).weather;
  };
  let step = route.next();
  while (!step.done) {
    progress(FOUND * step.value.share);
    step = route.next(await read(step.value.places));
    await turn();
  }
  return step.value;
}
