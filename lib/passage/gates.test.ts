import { describe, expect, it } from "vitest";
import { type GateForm, passageRequest } from "#lib/contract/passage.ts";
import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import {
  firstMissed,
  gatesOf,
  gateWait,
  missedText,
  type PredictedGate,
  passGates,
  predictedGate,
} from "./gates.ts";
import { defaultLimits } from "./limits.ts";
import { legsOf, march, type Passage, type Waypoint } from "./march.ts";
import { questionOf } from "./question.ts";
import { decidingText } from "./to-wire.ts";
import { judge, judgePieces } from "./verdict.ts";

const DAY = parseInstant("2026-09-14T00:00:00Z");
const at = (clock: string, day = 0) => DAY + day * DAY_S + parseInstant(`1970-01-01T${clock}:00Z`);

const place = { latitude: 48.64, longitude: -2.03 };
const about = { id: "x:1", name: "Saint-Malo", ...place };

const HALF_DAY = 12 * HOUR_S;
const from = DAY - DAY_S;
const wave = (time: number) => Math.cos((2 * Math.PI * (time - at("06:00"))) / HALF_DAY);
const quarters = Array.from({ length: 17 * 96 }, (_, index) => from + index * 900);
const everyHalf = (begins: number, by: number, count: number) =>
  Array.from({ length: count }, (_, index) => begins + index * by);

const predictionOf = (part: object) =>
  ({ station: about, attribution: "a credit", from: formatInstant(from), ...part }) as unknown;

/** A tide of 12 h with high water at 06:00 and 18:00. @param heightAt Metres; by default 1 to 7 m. */
const tide = (
  heightAt = (time: number) => 4 + 3 * wave(time),
  highs = everyHalf(at("06:00", -1), HALF_DAY, 34),
) =>
  predictionOf({
    kind: "tide",
    datum: "LAT",
    extremes: highs.map((time) => ({ time: formatInstant(time), type: "high", height_m: heightAt(time) })),
    curve: { step_minutes: 15, heights_m: quarters.map(heightAt) },
  }) as TidePrediction;

/** A stream that floods from 00:00 to 06:00 and then ebbs, at up to 3 kt. */
const stream = () =>
  predictionOf({
    kind: "stream",
    flood_direction: 40,
    ebb_direction: 220,
    events: everyHalf(from, HALF_DAY / 2, 68).map((time, index) => ({
      time: formatInstant(time),
      type: index % 2 === 0 ? "slack_before_flood" : "slack_before_ebb",
      speed_kt: 0,
    })),
    curve: { step_minutes: 15, speeds_kt: quarters.map((time) => 3 * wave(time + 3 * HOUR_S)) },
  }) as StreamPrediction;

const station = "x:1";
const height = (min_m: number, wait = false): GateForm => ({ kind: "height", station, min_m, wait });
const slack: GateForm = { kind: "slack", station, within_h: 0.5, wait: false };
const highWater = (from_h: number, to_h: number): GateForm => ({
  kind: "high_water",
  station,
  from_h,
  to_h,
  wait: false,
});

const gateOf = (gate: GateForm, prediction: TidePrediction | StreamPrediction = tide(), waypoint = 0) =>
  predictedGate({ waypoint, place, gate }, prediction);

const met = (gate: PredictedGate, time: number) => passGates([gate], [{ time, waited: 0 }])[0]!;

describe("a gate", () => {
  it("of a height is open while the tide is as high, to the minute, and says when it opens next", () => {
    const gate = gateOf(height(5.5));
    // 4 + 3 cos x is 5.5 m two hours before and after high water.
    for (const edge of [at("04:00"), at("08:00")])
      expect(met(gate, edge).wire).toMatchObject({ holds: true, height_m: 5.5 });
    expect(met(gate, at("04:00") - 40).wire.holds).toBe(false);
    expect(met(gate, at("08:01")).wire.holds).toBe(false);
    // The tide falls through 5.5 m, and through 5.47 m between two minutes; the verdict must agree with the
    // number shown.
    for (const least of [5.5, 5.47]) {
      for (let time = at("07:57"); time < at("08:05"); time += 7) {
        const { holds, height_m } = met(gateOf(height(least)), time).wire;
        expect([time, holds]).toEqual([time, height_m! >= least]);
      }
    }
    const missed = met(gate, at("09:00"));
    expect(missed.wire).toMatchObject({
      holds: false,
      height_m: 4,
      nearest: formatInstant(at("06:00")),
      window: { from: formatInstant(at("16:00")), to: formatInstant(at("20:00")) },
    });
    expect(missedText(missed)).toBe("4 m at Saint-Malo at 09:00 UTC, 5.5 m needed; next from 16:00");
  });

  it("is looked for over midnight, and never found where the height is not reached", () => {
    expect(missedText(met(gateOf(height(5.5)), at("21:00")))).toContain("next from 2026-09-15 04:00");
    // It is neaps now and springs in a week.
    const growing = tide((time) => 4 + (2 + (time - DAY) / (7 * DAY_S)) * wave(time));
    const late = met(gateOf(height(6.5), growing), at("06:00"));
    expect(late.wire.holds).toBe(false);
    expect(parseInstant(late.wire.window!.from!) - DAY).toBeGreaterThan(3 * DAY_S);
    const always = met(gateOf(height(0.5)), at("00:00")).wire;
    expect(always).toMatchObject({ holds: true, window: { from: null, to: null } });
    const never = met(gateOf(height(7.5)), at("06:00"));
    expect(never.wire).toMatchObject({ holds: false, window: null });
    expect(missedText(never)).toContain("not open in the 15 days after");
  });

  it("at slack water is open around each, and gives the stream where it is not", () => {
    const gate = gateOf(slack, stream());
    expect(met(gate, at("06:30")).wire).toMatchObject({ holds: true, height_m: null });
    expect(met(gate, at("03:00")).wire).toMatchObject({ holds: false, speed_kt: 3, direction_deg: 40 });
    expect(met(gate, at("08:00"))).toMatchObject({ wire: { direction_deg: 220 } });
    expect(missedText(met(gate, at("08:00")))).toBe(
      "2.6 kt at Saint-Malo at 08:00 UTC, slack at 06:00, needed within 0.5 h of it; next from 11:30",
    );
  });

  it("at high water is open between its hours, of each of a double high water", () => {
    const gate = gateOf(highWater(-2, 1));
    const edges = ["03:59", "04:00", "07:00", "07:01"];
    expect(edges.map((clock) => met(gate, at(clock)).wire.holds)).toEqual([false, true, true, false]);
    expect(missedText(met(gate, at("08:00")))).toBe(
      "08:00 UTC is not from −2 to +1 h of high water at Saint-Malo (06:00); next from 16:00",
    );
    const twice = gateOf(highWater(-0.5, 0.5), tide(undefined, [at("05:00"), at("07:00")]));
    const clocks = ["05:30", "05:45", "06:45"];
    expect(clocks.map((clock) => met(twice, at(clock)).wire.holds)).toEqual([true, false, true]);
  });

  it("is not known where the vessel does not come to it, and where it comes after all that is predicted", () => {
    const [ahead] = passGates([gateOf(slack, stream(), 3)], [{ time: DAY, waited: 0 }]);
    expect(ahead!.wire).toMatchObject({ eta: null, holds: null });
    const late = met(gateOf(height(0.5)), at("06:00", 17));
    expect([late.wire.holds, late.wire.height_m, firstMissed([late])]).toEqual([null, null, undefined]);
  });
});

describe("a passage with gates", () => {
  const route = (...gates: (GateForm | undefined)[]) =>
    [0, 10, 20].map((miles, index): Waypoint & { gate?: GateForm } => ({
      latitude: 48.64 + miles / 60,
      longitude: -2.03,
      leg: "rhumb",
      ...(gates[index] && { gate: gates[index] }),
    }));

  /** A passage at 10 kn with legs of ten miles. */
  function planned(way: ReturnType<typeof route>, departure: number, predicted = tide()) {
    const gates = gatesOf(way).map((gate) =>
      predictedGate(gate, gate.gate.kind === "slack" ? stream() : predicted),
    );
    const wait = (waypoint: number, time: number) => gateWait(gates, waypoint, time);
    const marching = march(legsOf(way), { kind: "fixed", knots: 10 }, departure, undefined, wait);
    let step = marching.next();
    while (!step.done) step = marching.next({ Winds_10m_Intensity: 3, Winds_10m_Direction: 0 });
    const passage: Passage = step.value;
    const passed = passGates(gates, passage.passes);
    const pieces = judgePieces(passage.pieces, limits);
    return { passage, passed, ...judge(passage, pieces, { storms: [], missed: firstMissed(passed) }) };
  }
  const limits = defaultLimits.fixed;

  it("is NO by the first of its gates that is missed, and says so in words", () => {
    const { verdict, deciding, passed } = planned(route(undefined, height(5.5), height(5.5)), at("08:30"));
    expect([verdict, deciding?.by, deciding?.gate]).toEqual(["NO", "gate_missed", 0]);
    expect(passed.map(({ wire }) => wire.holds)).toEqual([false, false]);
    expect(decidingText(deciding!, limits, passed)).toContain("5.5 m needed; next from 16:00");
    const second = planned(route(undefined, height(5.5), slack), at("06:30"));
    expect(second.passed.map(({ wire }) => wire.holds)).toEqual([true, false]);
    expect(second.deciding?.gate).toBe(1);
  });

  it("waits before a gate where it may, in pieces with their weather, and not longer than a day", () => {
    const { passage, passed, verdict } = planned(route(undefined, height(5.5, true)), at("13:30"));
    expect(verdict).not.toBe("NO");
    expect(passed[0]!.wire).toMatchObject({ holds: true, eta: expect.stringMatching("T14:30") });
    expect(passed[0]!.wire.waited_s).toBeCloseTo(1.5 * HOUR_S, -1);
    const waits = passage.pieces.filter(({ waits }) => waits);
    expect(waits.map(({ seconds, miles }) => [Math.round(seconds / 60), miles])).toEqual(
      Array(3).fill([30, 0]),
    );
    expect(passage.end.time).toBeCloseTo(at("17:00"), -2);
    const opening = (hours: number) => {
      const rises = tide((time) => (time < at("14:30") + hours * HOUR_S ? 4 : 6));
      return planned(route(undefined, height(5.5, true)), at("13:30"), rises).passed[0]!.wire;
    };
    expect(opening(23).waited_s).toBeGreaterThan(22.5 * HOUR_S);
    expect(opening(30)).toMatchObject({ holds: false, waited_s: 0, window: { to: null } });
  });

  it("is counted with a day's wait before each gate, before it is made", () => {
    const rises = tide((time) => (time < at("14:30") + 23.5 * HOUR_S ? 4 : 6));
    const way = route(undefined, height(5.5, true), height(1));
    const { passage } = planned(way, at("13:30"), rises);
    const vessel = { kind: "fixed", speed_kt: 10 };
    const request = { route: way, departure: formatInstant(at("13:30")), vessel };
    const { places } = questionOf(passageRequest.parse(request));
    expect(places).toBe(6 + 48);
    expect(passage.pieces.filter(({ waits }) => waits).length).toBeGreaterThan(46);
    expect(passage.pieces.length).toBeLessThanOrEqual(places);
  });
});
