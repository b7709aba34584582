import { passageLimits } from "#lib/contract/passage.ts";
import { tideLimits } from "#lib/contract/tides.ts";
import {
  GATE_AFTER_S,
  GATE_BEFORE_S,
  type Gate,
  type PredictedGate,
  predictedGate,
  type WishedHighWater,
} from "#lib/passage/gates.ts";
import { expectedPieces, longestPassage, PIECE_S } from "#lib/passage/march.ts";
import type { PassageQuestion } from "#lib/passage/question.ts";
import { NEAR_KM } from "#lib/tides/limits.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { PredictionError, UnknownStationError } from "#server/tides/errors.ts";
import type { StationQuestion } from "#server/tides/period.ts";
import type { Prediction, Tides } from "#server/tides/tides.ts";

type Asked = Pick<PassageQuestion, "gates" | "highWater" | "legs" | "vessel" | "departures">;

type Predicting = Pick<Tides, "station" | "nearest">;

/** Reports a gate, or the high water of an arrival, that its station cannot answer. */
export class GateError extends ProcessingError {
  override readonly name = "GateError";
  readonly issue: ValidationIssue;
  constructor(loc: (string | number)[], message: string) {
    super(message);
    this.issue = { type: "value_error", loc: ["body", ...loc], msg: `Value error, ${message}` };
  }
}

/** Step of a curve, minutes; a long curve has the shortest step for which its values are few enough. */
const STEP_MINUTES = 15;

/** Whether a question needs predictions. */
export const needsTides = ({ gates, highWater }: Pick<Asked, "gates" | "highWater">): boolean =>
  gates.length > 0 || highWater !== undefined;

/**
 * Predicts the gates of a question one after another, each for all the time that its passages may take; the last one is
 * the high water at which the vessel should arrive.
 *
 * @throws GateError
 */
export async function predictGates(tides: Predicting, question: Asked): Promise<PredictedGate[]> {
  if (!needsTides(question)) return [];
  const { gates, highWater, legs, vessel, departures } = question;
  const from = Math.floor((departures[0]! - GATE_BEFORE_S) / HOUR_S) * HOUR_S;
  const last = departures.at(-1)! + longestPassage(legs, vessel, gates.length) + GATE_AFTER_S;
  const to = Math.min(last, from + tideLimits.days * DAY_S);
  const step = Math.max(STEP_MINUTES, Math.ceil((to - from) / 60 / tideLimits.values));
  const period = { from: formatInstant(from), to: formatInstant(Math.ceil(to)), step, days: 1, now: from };
  const predictions = new Map<string, Prediction>();
  const predict = async (station: string, datum?: string) => {
    const key = JSON.stringify([station, datum]);
    const known = predictions.get(key) ?? (await tides.station(station, { ...period, datum }));
    predictions.set(key, known);
    return known;
  };
  const predicted: PredictedGate[] = [];
  for (const gate of gates) predicted.push(predictedGate(gate, await checked(gate, predict)));
  if (highWater) predicted.push(await predictedHighWater(highWater, tides, predict, period));
  return predicted;
}

type Predict = (station: string, datum?: string) => Promise<Prediction>;

/** @throws GateError */
async function predictedHighWater(
  { waypoint, place, station, from_h, to_h }: WishedHighWater,
  tides: Predicting,
  predict: Predict,
  period: StationQuestion,
): Promise<PredictedGate> {
  const loc = ["arrive", "high_water"];
  const gateAt = (station: string): Gate => ({
    waypoint,
    place,
    gate: { kind: "high_water", station, wait: false, from_h, to_h },
  });
  if (station !== undefined) {
    const gate = gateAt(station);
    return predictedGate(gate, await checked(gate, predict, loc));
  }
  try {
    const nearest = await tides.nearest({ ...period, place, kind: "tide", within: NEAR_KM });
    return predictedGate(gateAt(nearest.station.id), withHighWater(nearest, [...loc, "station"]));
  } catch (error) {
    if (!(error instanceof UnknownStationError)) throw error;
    throw new GateError([...loc, "station"], error.message);
  }
}

/** @throws GateError at a station without high waters. */
function withHighWater(prediction: Prediction, loc: (string | number)[]): Prediction {
  if (prediction.kind === "tide" && prediction.extremes.length === 0)
    throw new GateError(loc, "There is hardly any tide at this station, and no high water");
  return prediction;
}

/** @param loc Place of the gate in the body. @throws GateError */
async function checked(
  { waypoint, gate }: Gate,
  predict: Predict,
  loc: (string | number)[] = ["route", waypoint, "gate"],
): Promise<Prediction> {
  let prediction: Prediction;
  try {
    prediction = await predict(gate.station, gate.kind === "height" ? gate.datum : undefined);
  } catch (error) {
    if (error instanceof UnknownStationError) throw new GateError([...loc, "station"], error.message);
    if (!(error instanceof PredictionError)) throw error;
    const [name, ...rest] = error.message.split(": ");
    if (name !== "datum") throw new GateError([...loc, "station"], rest.join(": "));
    // A stream has no datum, so the fault is the kind of the gate.
    prediction = await predict(gate.station);
    if (prediction.kind === "tide") throw new GateError([...loc, "datum"], rest.join(": "));
  }
  if (gate.kind === "slack" && prediction.kind === "tide")
    throw new GateError(
      [...loc, "kind"],
      "A gate at slack water needs a stream station, and this one has a tide",
    );
  if (gate.kind !== "slack" && prediction.kind === "stream")
    throw new GateError([...loc, "kind"], NEEDS_TIDE);
  return gate.kind === "high_water" ? withHighWater(prediction, [...loc, "station"]) : prediction;
}

const NEEDS_TIDE = "A gate of a height, or at high water, needs a tide station, and this one has a stream";

/** Reports a route with gates that takes longer than the time for which they are predicted. */
export function gateIssues(question: Asked): ValidationIssue[] {
  const { legs, vessel, departures } = question;
  const { gate_days: most } = passageLimits;
  const seconds = departures.at(-1)! - departures[0]! + PIECE_S * expectedPieces(legs, vessel);
  const days = Math.ceil(seconds / DAY_S);
  if (!needsTides(question) || days <= most) return [];
  const msg = `This takes about ${days} days, and gates are predicted for at most ${most}: send a part of the route, or fewer departures`;
  return [{ type: "value_error", loc: ["body", "route"], msg, ctx: { days, most } }];
}
