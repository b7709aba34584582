import type { Place } from "@open-metocean/geo/sphere";
import type { GateForm } from "#lib/contract/passage.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { eventsOf, extremesOf, numbersOf } from "#lib/tides/reading.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { MAX_GATE_WAIT_S, type Passing, type WaypointPass } from "./march.ts";

/** A gate of a route. @see waypoint Position of its waypoint in the route, from 0. */
export interface Gate {
  waypoint: number;
  place: Place;
  gate: GateForm;
}

/**
 * High water at which a vessel should arrive at its last waypoint. @see station undefined: the one that is
 * nearest to the place by water.
 */
export interface WishedHighWater extends Omit<Gate, "gate"> {
  station?: string | undefined;
  from_h: number;
  to_h: number;
}

/** A span of time, Unix seconds, both ends included. */
interface Span {
  from: number;
  to: number;
}

/** A gate with the prediction of its station for the whole time that passages may take. */
export interface PredictedGate extends Gate {
  about: NonNullable<PassageMeta["gates"]>[number];
  /** Span of the prediction; nothing is known outside it. */
  span: Span;
  /**
   * Height in metres above the datum, or speed in knots, positive in the flood direction; NaN outside the
   * span. @param time Unix seconds.
   */
  at(time: number): number;
  /** Directions of the stream, degrees, TO. */
  stream: { flood: number; ebb: number } | undefined;
  /** Times of high waters or slack waters, Unix seconds, ascending. */
  events: readonly number[];
  /** Spans in which the gate is open, to the minute, ascending. */
  windows: readonly Span[];
}

/**
 * A gate is predicted from this long before the first departure until this long after the last arrival, s. 15
 * days are a cycle of springs and neaps.
 */
export const GATE_BEFORE_S = DAY_S;
export const GATE_AFTER_S = 15 * DAY_S;

export function gatesOf(route: readonly (Place & { gate?: GateForm | undefined })[]): Gate[] {
  return route.flatMap(({ gate, latitude, longitude }, waypoint) =>
    gate ? [{ waypoint, place: { latitude, longitude }, gate }] : [],
  );
}

/** Evaluates the prediction of a gate. @param prediction Must include a curve. */
export function predictedGate(
  { waypoint, place, gate }: Gate,
  prediction: TidePrediction | StreamPrediction,
): PredictedGate {
  const isTide = prediction.kind === "tide";
  const stepS = 60 * prediction.curve!.step_minutes;
  const values = numbersOf(prediction.curve!);
  const from = parseInstant(prediction.from);
  const span = { from, to: from + (values.length - 1) * stepS };
  const at = (time: number) => interpolated(values, (time - from) / stepS);
  const events = (isTide ? extremesOf(prediction) : eventsOf(prediction))
    .filter(({ type }) => type === "high" || type.startsWith("slack"))
    .map(({ time }) => time);
  const { id, kind, name, latitude, longitude, water_km: km } = prediction.station;
  return {
    waypoint,
    place,
    gate,
    about: {
      waypoint,
      station: { id, kind, name, latitude, longitude },
      ...(typeof km === "number" && { water_km: km }),
      datum: isTide ? prediction.datum : null,
      attribution: prediction.attribution,
    },
    span,
    at,
    stream: isTide ? undefined : { flood: prediction.flood_direction, ebb: prediction.ebb_direction },
    events,
    windows:
      gate.kind === "height" ? spansAbove(gate.min_m, at, span) : spansAround(events, hoursAround(gate)),
  };
}

function hoursAround(gate: Exclude<GateForm, { kind: "height" }>): readonly [number, number] {
  return gate.kind === "slack" ? [-gate.within_h, gate.within_h] : [gate.from_h, gate.to_h];
}

/**
 * Interpolates between samples by the cubic through four of them (Catmull and Rom). With steps of 15 min a
 * tidal curve is matched within 1 cm.
 */
function interpolated(values: readonly number[], position: number): number {
  const index = Math.min(Math.floor(position), values.length - 2);
  const [one, other] = [values[index], values[index + 1]];
  if (one === undefined || other === undefined || position > values.length - 1) return Number.NaN;
  const share = position - index;
  const before = values[index - 1] ?? 2 * one - other;
  const after = values[index + 2] ?? 2 * other - one;
  const slope = (other - before) / 2;
  const nextSlope = (after - one) / 2;
  const [bend, twist] = [3 * (other - one) - 2 * slope - nextSlope, 2 * (one - other) + slope + nextSlope];
  return one + share * (slope + share * (bend + share * twist));
}

/** Step in which a curve is searched, s. The peak of a 12 m tide is then missed by less than a centimetre. */
const SEARCH_S = 300;

function spansAbove(least: number, at: (time: number) => number, { from, to }: Span): Span[] {
  const spans: Span[] = [];
  const isHigh = (time: number) => at(time) > least - 1e-6;
  let start: number | undefined;
  for (let time = from; time <= to; time += SEARCH_S) {
    const isOpen = isHigh(time);
    // A minute counts if the value is high enough at its beginning.
    if (isOpen && start === undefined)
      start = time === from ? from : 60 * Math.ceil(crossing(time, time - SEARCH_S) / 60);
    if (!isOpen && start !== undefined) {
      const end = minuteOf(crossing(time - SEARCH_S, time));
      if (end >= start) spans.push({ from: start, to: end });
      start = undefined;
    }
  }
  if (start !== undefined) spans.push({ from: start, to });
  return spans;

  /** The last second that is still open, between a time that is open and one that is closed. */
  function crossing(open: number, closed: number): number {
    let [inside, outside] = [open, closed];
    while (Math.abs(outside - inside) > 1) {
      const middle = Math.round((inside + outside) / 2);
      if (isHigh(middle)) inside = middle;
      else outside = middle;
    }
    return inside;
  }
}

/** Spans around each event; overlapping ones are merged. */
function spansAround(events: readonly number[], [fromHours, toHours]: readonly [number, number]): Span[] {
  const spans: Span[] = [];
  for (const event of events) {
    const span = {
      from: nearestMinute(event + fromHours * HOUR_S),
      to: nearestMinute(event + toHours * HOUR_S),
    };
    const last = spans.at(-1);
    if (last && span.from <= last.to) last.to = span.to;
    else spans.push(span);
  }
  return spans;
}

const nearestMinute = (time: number) => 60 * Math.round(time / 60);

/** The window that contains a time, or else the next one; undefined if none is predicted. */
function windowAt({ windows }: PredictedGate, time: number): Span | undefined {
  return windows.find(({ to }) => time <= to);
}

/** Rounds down to the minute that a clock shows; predictions are not more precise. */
const minuteOf = (time: number) => 60 * Math.floor(Math.round(time) / 60);

const isOpenAt = (gate: PredictedGate, time: number) =>
  (windowAt(gate, minuteOf(time))?.from ?? Number.POSITIVE_INFINITY) <= minuteOf(time);

/**
 * How long a vessel that arrives at a waypoint waits there for its gate, s; 0 if it need not wait, or would
 * wait in vain.
 */
export function gateWait(gates: readonly PredictedGate[], waypoint: number, time: number): number {
  const gate = gates.find((one) => one.waypoint === waypoint);
  if (!gate?.gate.wait || isOpenAt(gate, time)) return 0;
  const next = windowAt(gate, time);
  if (!next) return 0;
  const wait = next.from - time;
  return wait <= MAX_GATE_WAIT_S ? wait : 0;
}

/** A gate at the time a vessel arrives there. */
export interface PassedGate {
  gate: PredictedGate;
  wire: NonNullable<PassagePlan["gates"]>[number];
}

/** State of each gate when a vessel arrives. @param passes The waypoints that it reached, by position. */
export function passGates(gates: readonly PredictedGate[], passes: readonly WaypointPass[]): PassedGate[] {
  return gates.map((gate) => ({ gate, wire: gateToWire(gate, passes[gate.waypoint]) }));
}

function gateToWire(gate: PredictedGate, pass: WaypointPass | undefined): PassedGate["wire"] {
  const about = { waypoint: gate.waypoint, gate: gate.gate, station: gate.about.station.name };
  if (!pass)
    return {
      ...about,
      eta: null,
      holds: null,
      waited_s: 0,
      height_m: null,
      speed_kt: null,
      direction_deg: null,
      nearest: null,
      window: null,
    };
  const eta = pass.time - pass.waited;
  const value = gate.at(minuteOf(eta));
  const known = Number.isNaN(value) ? null : Math.round(100 * Math.abs(value)) / 100;
  const nearest = gate.events.reduce<number | undefined>(
    (best, event) => (best === undefined || Math.abs(event - eta) < Math.abs(best - eta) ? event : best),
    undefined,
  );
  const window = windowAt(gate, minuteOf(pass.time));
  const { stream, span } = gate;
  return {
    ...about,
    eta: formatInstant(Math.round(eta)),
    holds: pass.time > span.to ? null : isOpenAt(gate, pass.time),
    waited_s: Math.round(pass.waited),
    height_m: stream || known === null ? null : heightAt(gate, value, eta),
    speed_kt: stream ? known : null,
    direction_deg: stream && known ? (value > 0 ? stream.flood : stream.ebb) : null,
    nearest: nearest === undefined ? null : formatInstant(nearest),
    window: window
      ? {
          from: window.from <= span.from ? null : formatInstant(window.from),
          to: window.to >= span.to ? null : formatInstant(window.to),
        }
      : null,
  };
}

/** Height to the centimetre, rounded so that a height gate that is open is also open at the height shown. */
function heightAt(gate: PredictedGate, value: number, eta: number): number {
  const centimetres = Math.round(1e6 * value) / 1e4;
  if (gate.gate.kind !== "height") return Math.round(centimetres) / 100 + 0;
  return (isOpenAt(gate, eta) ? Math.ceil(centimetres) : Math.floor(centimetres)) / 100 + 0;
}

/** The first missed gate: its position among the gates, and the place and time. */
export function firstMissed(passed: readonly PassedGate[]): { gate: number; at: Passing } | undefined {
  const index = passed.findIndex(({ wire }) => wire.holds === false);
  if (index < 0) return undefined;
  const { gate, wire } = passed[index]!;
  return { gate: index, at: { ...gate.place, time: parseInstant(wire.eta!) } };
}

/** Why a gate is missed, in English: `3.1 m at Saint-Malo at 06:40 UTC, 4 m needed; next from 08:15`. */
export function missedText({ wire }: PassedGate): string {
  const { gate, station, eta, height_m, speed_kt, nearest, window } = wire;
  const clock = (instant: string) => instant.slice(11, 16);
  const dated = (instant: string) =>
    instant.slice(0, 10) === eta!.slice(0, 10) ? clock(instant) : `${instant.slice(0, 10)} ${clock(instant)}`;
  const next = window?.from ? `next from ${dated(window.from)}` : "not open in the 15 days after";
  const when = `at ${station} at ${clock(eta!)} UTC`;
  switch (gate.kind) {
    case "height":
      return `${height_m} m ${when}, ${gate.min_m} m needed; ${next}`;
    case "slack":
      return `${speed_kt} kt ${when}${nearest ? `, slack at ${dated(nearest)}` : ""}, needed within ${gate.within_h} h of it; ${next}`;
    case "high_water":
      return `${clock(eta!)} UTC is not from ${signed(gate.from_h)} to ${signed(gate.to_h)} h of high water at ${station}${nearest ? ` (${dated(nearest)})` : ""}; ${next}`;
  }
}

const signed = (hours: number) => (hours > 0 ? `+${hours}` : String(hours).replace("-", "−"));
