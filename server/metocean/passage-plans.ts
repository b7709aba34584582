import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { knowledgeOf } from "#lib/passage/knowledge.ts";
import { landOnRoute, nearestCoast } from "#lib/passage/optimise/crosses-land.ts";
import { motorTableToWire, type PassageQuestion } from "#lib/passage/question.ts";
import { stormsOnTheWay } from "#lib/passage/storms-near.ts";
import { sortedDepartures } from "#lib/passage/sweep.ts";
import { coastToWire, legsToWire, planToWire } from "#lib/passage/to-wire.ts";
import { totalsOf } from "#lib/passage/totals.ts";
import { judge, judgePieces } from "#lib/passage/verdict.ts";
import { typicalSpeed } from "#lib/passage/vessel.ts";
import type { DangerArea } from "#lib/storms/danger-area.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { knownCoast } from "./coast.ts";
import { joinProvenance } from "./meta.ts";
import { evaluatePassages } from "./passages.ts";

/** Storms that passages are held against. */
export interface KnownStorms {
  entries: readonly StormEntry[];
  areaOf(entry: StormEntry): DangerArea | undefined;
}

export interface Plans {
  plans: PassagePlan[];
  /** Of these departures only. */
  meta: PassageMeta;
}

/** Departures that are evaluated side by side. */
export const SIDE_BY_SIDE = 50;

/**
 * Plans of some departures of a question: evaluated, judged, and in the form of POST /passages/evaluate.
 *
 * @param from Position of the first departure. @param to Of the one after the last.
 * @param now Weather clock when the request was accepted, Unix seconds.
 * @param progress Called with the share of these departures that is done.
 */
export async function plansOf(
  source: PointSource,
  manifest: Manifest,
  question: PassageQuestion,
  [from, to]: readonly [from: number, to: number],
  now: number,
  signal: AbortSignal,
  { storms, progress = () => {} }: { storms?: KnownStorms; progress?: (share: number) => void } = {},
): Promise<Plans> {
  const { legs, limits, ship, withPieces } = question;
  const departures = question.departures.slice(from, to);
  const expected = Math.max(1, (question.places / question.departures.length) * departures.length);
  const { passages, provenance } = await evaluatePassages(
    source,
    manifest,
    question,
    departures,
    now,
    signal,
    (pieces) => progress(Math.min(1, pieces / expected)),
  );
  const { distance_nm, legs: wireLegs } = legsToWire(legs);
  const miles = legs.reduce((sum, leg) => sum + leg.miles, 0);
  const coast = knownCoast().line;
  const land = landOnRoute(legs, coast);
  const plans: PassagePlan[] = [];
  for (const [index, departure] of departures.entries()) {
    // A passage of hundreds of pieces takes some milliseconds, and more with storms.
    await nextTurn();
    signal.throwIfAborted();
    const passage = passages[index]!;
    const pieces = judgePieces(passage.pieces, limits, ship);
    const near = storms && stormsOnTheWay(storms.entries, passage, storms.areaOf, limits, now);
    const judged = {
      departure,
      passage,
      pieces,
      totals: totalsOf(pieces, limits),
      ...judge(passage, pieces, { storms: near?.near ?? [], stormsWithoutForecast: near?.unforecast, land }),
      storms: near?.wire,
    };
    plans.push(planToWire(judged, { limits, miles, withPieces }));
  }
  const table = motorTableToWire(question.vessel);
  const compared = plans.map(comparedOf);
  const meta = {
    distance_nm,
    legs: wireLegs,
    ...coastToWire(land, nearestCoast(legs, coast)),
    typical_speed_kt: Math.round(100 * typicalSpeed(question.vessel)) / 100,
    ...(table && { motor_table: table }),
    limits,
    order: orderOf(compared),
    departures: compared,
    provenance,
    knowledge: knowledgeOf({ withStorms: storms !== undefined }),
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
