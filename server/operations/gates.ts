import { passageLimits } from "#lib/contract/passage.ts";
import { tideLimits } from "#lib/contract/tides.ts";
import {
  GATE_AFTER_S,
  GATE_BEFORE_S,
  type Gate,
  type PredictedGate,
  predictedGate,
} from "#lib/passage/gates.ts";
import { expectedPieces, longestPassage, PIECE_S } from "#lib/passage/march.ts";
import type { PassageQuestion } from "#lib/passage/question.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { PredictionError, UnknownStationError } from "#server/tides/errors.ts";
import type { Prediction, Tides } from "#server/tides/tides.ts";

type Asked = Pick<PassageQuestion, "gates" | "legs" | "vessel" | "departures">;

/** Reports a gate that its station cannot answer. */
export class GateError extends ProcessingError {
  override readonly name = "GateError";
  readonly issue: ValidationIssue;
  constructor(waypoint: number, field: string, message: string) {
    super(message);
    const loc = ["body", "route", waypoint, "gate", field];
    this.issue = { type: "value_error", loc, msg: `Value error, ${message}` };
  }
}

/** Step of a curve, minutes; a long curve has the shortest step for which its values are few enough. */
const STEP_MINUTES = 15;

/**
 * Predicts the gates of a question one after another, each for all the time that its passages may take.
 *
 * @throws GateError
 */
export async function predictGates(
  tides: Pick<Tides, "station">,
  { gates, legs, vessel, departures }: Asked,
): Promise<PredictedGate[]> {
  if (gates.length === 0) return [];
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
  return predicted;
}

/** @throws GateError */
async function checked(
  { waypoint, gate }: Gate,
  predict: (station: string, datum?: string) => Promise<Prediction>,
): Promise<Prediction> {
  let prediction: Prediction;
  try {
    prediction = await predict(gate.station, gate.kind === "height" ? gate.datum : undefined);
  } catch (error) {
    if (error instanceof UnknownStationError) throw new GateError(waypoint, "station", error.message);
    if (!(error instanceof PredictionError)) throw error;
    const [name, ...rest] = error.message.split(": ");
    if (name !== "datum") throw new GateError(waypoint, "station", rest.join(": "));
    // A stream has no datum, so the fault is the kind of the gate.
    prediction = await predict(gate.station);
    if (prediction.kind === "tide") throw new GateError(waypoint, "datum", rest.join(": "));
  }
  if (gate.kind === "slack" && prediction.kind === "tide")
    throw new GateError(
      waypoint,
      "kind",
      "A gate at slack water needs a stream station, and this one has a tide",
    );
  if (gate.kind !== "slack" && prediction.kind === "stream")
    throw new GateError(waypoint, "kind", NEEDS_TIDE);
  if (gate.kind === "high_water" && prediction.kind === "tide" && prediction.extremes.length === 0)
    throw new GateError(waypoint, "station", "There is hardly any tide at this station, and no high water");
  return prediction;
}

const NEEDS_TIDE = "A gate of a height, or at high water, needs a tide station, and this one has a stream";

/** Reports a route with gates that takes longer than the time for which they are predicted. */
export function gateIssues({ gates, legs, vessel, departures }: Asked): ValidationIssue[] {
  const { gate_days: most } = passageLimits;
  const seconds = departures.at(-1)! - departures[0]! + PIECE_S * expectedPieces(legs, vessel);
  const days = Math.ceil(seconds / DAY_S);
  if (gates.length === 0 || days <= most) return [];
  const msg = `This takes about ${days} days, and gates are predicted for at most ${most}: send a part of the route, or fewer departures`;
  return [{ type: "value_error", loc: ["body", "route"], msg, ctx: { days, most } }];
}
