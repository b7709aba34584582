import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { fromKnots } from "#lib/knots.ts";
import { HOUR_S } from "#lib/time.ts";
import {
  expectedPieces,
  legsOf,
  march,
  type Passage,
  PIECE_MILES,
  PIECE_S,
  type Wanted,
  type Waypoint,
} from "./march.ts";
import { typicalTable } from "./polar.ts";
import { type LegKind, legKinds } from "./route.ts";
import type { Vessel, Weather } from "./vessel.ts";

const START = 1_789_473_600;

const route = (leg: LegKind, ...places: [number, number][]): Waypoint[] =>
  places.map(([latitude, longitude]) => ({ latitude, longitude, leg }));

const fixed = (knots: number): Vessel => ({ kind: "fixed", knots });

const current = (knots: number, to: number): Weather => ({
  Currents_Intensity: fromKnots(knots),
  Currents_Direction: to,
});

function passage(way: Waypoint[], vessel: Vessel, weatherAt: (at: Wanted) => Weather): Passage {
  const marching = march(legsOf(way), vessel, START);
  let step = marching.next();
  while (!step.done) step = marching.next(weatherAt(step.value));
  return step.value;
}

describe("in a constant field", () => {
  it("arrives when distance over speed says, along a meridian with the current", () => {
    const { end, ending } = passage(route("great_circle", [10, -30], [20, -30]), fixed(10), () =>
      current(2, 0),
    );
    const miles = (10 * 6371 * Math.PI) / 180 / MILE_KM;
    expect(ending).toBe("arrived");
    expect(end.time - START).toBeCloseTo((miles / 12) * HOUR_S, 3);
    expect(distanceKm(end, { latitude: 20, longitude: -30 })).toBeLessThan(1e-6);
  });

  it("arrives when the triangle says, along a rhumb line with the current across", () => {
    const way = route("rhumb", [40, -30], [40, -20]);
    const { end } = passage(way, fixed(10), () => current(3, 180));
    const miles = legsOf(way)[0]!.miles;
    expect(end.time - START).toBeCloseTo((miles / Math.sqrt(91)) * HOUR_S, 3);
  });

  it("keeps the motor's speed in the sea that it has", () => {
    const vessel: Vessel = { kind: "motor", knots: 8, table: typicalTable(8) };
    const sea = { Waves_Significant_Height: 2, Waves_Mean_Period: 6, Waves_Mean_Direction: 0 };
    const way = route("rhumb", [40, -30], [42, -30]);
    const { end } = passage(way, vessel, () => sea);
    expect(end.time - START).toBeCloseTo((legsOf(way)[0]!.miles / 6) * HOUR_S, 3);
  });
});

it("reads each piece's weather at its own time: a current that grows gives the arrival of the integral", () => {
  // Speed over ground 10 + t / 10 kn after t hours: 10 t + t² / 20 miles.
  const way = route("great_circle", [0, -30], [5, -30]);
  const grows = ({ time }: Wanted) => current((time - START) / HOUR_S / 10, 0);
  const { end } = passage(way, fixed(10), grows);
  const miles = legsOf(way)[0]!.miles;
  const hours = (-10 + Math.sqrt(100 + miles / 5)) * 10;
  expect(Math.abs(end.time - START - hours * HOUR_S)).toBeLessThan(5);
});

it("cuts a route into pieces that join, of at most half an hour and ten miles, each read in its middle", () => {
  const place = fc.tuple(
    fc.double({ min: -88, max: 88, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  );
  fc.assert(
    fc.property(
      place,
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.constantFrom(...legKinds),
      fc.double({ min: 1, max: 60, noNaN: true }),
      ([latitude, longitude], north, east, kind, knots) => {
        const to: [number, number] = [Math.max(-90, Math.min(90, latitude + north)), longitude + east];
        const way = route(kind, [latitude, longitude], to, to);
        const { pieces, end, ending } = passage(way, fixed(knots), ({ time }) =>
          current(0.5, (time / 100) % 360),
        );
        expect(ending).toBe("arrived");
        expect(distanceKm(end, { latitude: to[0], longitude: to[1] })).toBeLessThan(0.01);
        let before = { ...pieces[0]?.start, time: START };
        for (const piece of pieces) {
          expect(piece.start.time).toBeCloseTo(before.time, 6);
          expect(piece.seconds).toBeLessThanOrEqual(PIECE_S + 1e-6);
          expect(piece.miles).toBeLessThanOrEqual(PIECE_MILES);
          // The middle of the second pass: near that of the piece as it turned out.
          expect(Math.abs(piece.at.time - piece.start.time - piece.seconds / 2)).toBeLessThan(120);
          expect(distanceKm(piece.at, piece.start) / MILE_KM).toBeLessThan(PIECE_MILES);
          before = { ...piece.start, time: piece.start.time + piece.seconds };
        }
        expect(end.time).toBeCloseTo(before.time, 6);
      },
    ),
    { seed: 5, numRuns: 60 },
  );
});

it("goes across 180° and over the pole without a jump", () => {
  const pacific = passage(route("rhumb", [-17, 177], [-17, -177]), fixed(12), () => ({}));
  expect(pacific.pieces.reduce((sum, { miles }) => sum + miles, 0)).toBeLessThan(350);
  const arctic = passage(route("great_circle", [85, 0], [85, 180]), fixed(12), () => ({}));
  expect(Math.max(...arctic.pieces.map(({ at }) => at.latitude))).toBeGreaterThan(89.9);
  for (const { course } of [...pacific.pieces, ...arctic.pieces]) expect(Number.isFinite(course)).toBe(true);
});

it("has no pieces, and no NaN, on a route of no length", () => {
  const { pieces, end, ending } = passage(route("rhumb", [50, -5], [50, -5]), fixed(6), () => ({}));
  expect({ pieces, ending, time: end.time }).toEqual({ pieces: [], ending: "arrived", time: START });
});

describe("a current stronger than the boat", () => {
  it("holds it until the tide turns, in pieces of half an hour without way", () => {
    const tide = ({ time }: Wanted) => current(6, time < START + 3 * HOUR_S ? 180 : 0);
    const { pieces, ending } = passage(route("rhumb", [50, -5], [50.2, -5]), fixed(5), tide);
    expect(ending).toBe("arrived");
    expect(pieces.filter(({ motion }) => motion.mode === "held")).toHaveLength(6);
    expect(pieces[0]).toMatchObject({ miles: 0, seconds: PIECE_S, motion: { sog: 0, heading: null } });
  });

  it("that never turns ends the plan after a day, where the boat is", () => {
    const { pieces, ending, end } = passage(route("rhumb", [50, -5], [50.2, -5]), fixed(5), () =>
      current(6, 180),
    );
    expect(ending).toBe("held");
    expect(pieces).toHaveLength(48);
    expect(end).toMatchObject({ latitude: 50, longitude: -5 });
  });

  it("that leaves a tenth of a knot ends it as too slow, not in a year", () => {
    const far = route("rhumb", [40, -5], [45, -5]);
    const { pieces, ending } = passage(far, fixed(5), () => current(4.85, 180));
    expect(ending).toBe("too_slow");
    expect(pieces.length).toBeLessThanOrEqual(4 * expectedPieces(legsOf(far), fixed(5)) + 96);
  });
});

it("goes on at the typical speed where the forecast ends", () => {
  const vessel: Vessel = { kind: "motor", knots: 8, table: typicalTable(8) };
  const rough = { Waves_Significant_Height: 2, Waves_Mean_Period: 6, Waves_Mean_Direction: 0 };
  const { pieces } = passage(route("rhumb", [40, -30], [42, -30]), vessel, ({ time }) =>
    time < START + 6 * HOUR_S ? rough : {},
  );
  expect(pieces[0]!.motion.sog).toBeCloseTo(6, 9);
  expect(pieces.at(-1)!.motion).toMatchObject({ sog: 8, flags: ["typical_speed"] });
});

it("asks for the whole weather once a piece", () => {
  let [whole, some] = [0, 0];
  const { pieces } = passage(route("rhumb", [40, -30], [41, -30]), fixed(10), (at) => {
    if (at.whole) whole++;
    else some++;
    return {};
  });
  expect([whole, some]).toEqual([pieces.length, pieces.length]);
  expect(pieces.length).toBe(expectedPieces(legsOf(route("rhumb", [40, -30], [41, -30])), fixed(10)));
});
