import { fromKnots } from "@open-metocean/geo/knots";
import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import fc from "fast-check";
import { expect, it } from "vitest";
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

const motor: Vessel = { kind: "motor", knots: 8, table: typicalTable(8) };
const headSea = { Waves_Significant_Height: 2, Waves_Mean_Period: 6, Waves_Mean_Direction: 0 };

function passage(way: Waypoint[], vessel: Vessel, weatherAt: (at: Wanted) => Weather): Passage {
  const marching = march(legsOf(way), vessel, START);
  let step = marching.next();
  while (!step.done) step = marching.next(weatherAt(step.value));
  return step.value;
}

const milesOf = (way: Waypoint[]) => legsOf(way)[0]!.miles;

it.each<[string, Waypoint[], Vessel, Weather, number]>([
  [
    "with the current, along a meridian",
    route("great_circle", [10, -30], [20, -30]),
    fixed(10),
    current(2, 0),
    12,
  ],
  [
    "with the current across",
    route("rhumb", [40, -30], [40, -20]),
    fixed(10),
    current(3, 180),
    Math.sqrt(91),
  ],
  ["in a head sea", route("rhumb", [40, -30], [42, -30]), motor, headSea, 6],
])("in a constant field arrives when distance over speed says, %s", (_, way, vessel, weather, knots) => {
  const { end, ending } = passage(way, vessel, () => weather);
  expect(ending).toBe("arrived");
  expect(end.time - START).toBeCloseTo((milesOf(way) / knots) * HOUR_S, 3);
  expect(distanceKm(end, way[1]!)).toBeLessThan(1e-6);
});

it("reads each piece's weather at its own time: a current that grows gives the arrival of the integral", () => {
  // With a speed over ground of 10 + t / 10 kn after t hours, the distance is 10 t + t² / 20 miles.
  const way = route("great_circle", [0, -30], [5, -30]);
  const grows = ({ time }: Wanted) => current((time - START) / HOUR_S / 10, 0);
  const { end } = passage(way, fixed(10), grows);
  const hours = (-10 + Math.sqrt(100 + milesOf(way) / 5)) * 10;
  expect(Math.abs(end.time - START - hours * HOUR_S)).toBeLessThan(5);
});

it("cuts a route into pieces that join, of at most half an hour and ten miles, each read in its middle", () => {
  const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const legs = fc.constantFrom(...legKinds);
  fc.assert(
    fc.property(
      fc.tuple(number(-88, 88), number(-180, 180), number(-3, 3), number(-3, 3)),
      legs,
      number(1, 60),
      ([latitude, longitude, north, east], kind, knots) => {
        const to: [number, number] = [Math.max(-90, Math.min(90, latitude + north)), longitude + east];
        const way = route(kind, [latitude, longitude], to, to);
        const turning = ({ time }: Wanted) => current(0.5, (time / 100) % 360);
        const { pieces, end, ending } = passage(way, fixed(knots), turning);
        expect(ending).toBe("arrived");
        expect(distanceKm(end, way[1]!)).toBeLessThan(0.01);
        let time = START;
        for (const piece of pieces) {
          expect(piece.start.time).toBeCloseTo(time, 6);
          expect(piece.seconds).toBeLessThanOrEqual(PIECE_S + 1e-6);
          expect(piece.miles).toBeLessThanOrEqual(PIECE_MILES);
          // The middle found in the second pass is close to the middle of the finished piece.
          expect(Math.abs(piece.at.time - piece.start.time - piece.seconds / 2)).toBeLessThan(120);
          expect(distanceKm(piece.at, piece.start) / MILE_KM).toBeLessThan(PIECE_MILES);
          time = piece.start.time + piece.seconds;
        }
        expect(end.time).toBeCloseTo(time, 6);
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

it("a current stronger than the boat holds it until the tide turns, in pieces of half an hour without way", () => {
  const tide = ({ time }: Wanted) => current(6, time < START + 3 * HOUR_S ? 180 : 0);
  const { pieces, ending } = passage(route("rhumb", [50, -5], [50.2, -5]), fixed(5), tide);
  expect(ending).toBe("arrived");
  expect(pieces.filter(({ motion }) => motion.mode === "held")).toHaveLength(6);
  expect(pieces[0]).toMatchObject({ miles: 0, seconds: PIECE_S, motion: { sog: 0, heading: null } });
});

it("a current that never turns ends the plan after a day; one that leaves a tenth of a knot is too slow", () => {
  const far = route("rhumb", [40, -5], [45, -5]);
  const { pieces, ending, end } = passage(far, fixed(5), () => current(6, 180));
  expect([ending, pieces.length]).toEqual(["held", 48]);
  expect(end).toMatchObject({ latitude: 40, longitude: -5 });
  const slow = passage(far, fixed(5), () => current(4.85, 180));
  expect(slow.ending).toBe("too_slow");
  expect(slow.pieces.length).toBeLessThanOrEqual(4 * expectedPieces(legsOf(far), fixed(5)) + 96);
});

it("goes on at the typical speed where the forecast ends", () => {
  const { pieces } = passage(route("rhumb", [40, -30], [42, -30]), motor, ({ time }) =>
    time < START + 6 * HOUR_S ? headSea : {},
  );
  expect(pieces[0]!.motion.sog).toBeCloseTo(6, 9);
  expect(pieces.at(-1)!.motion).toMatchObject({ sog: 8, flags: ["typical_speed"] });
});

it("asks for the whole weather once a piece", () => {
  const asked: boolean[] = [];
  const way = route("rhumb", [40, -30], [41, -30]);
  const { pieces } = passage(way, fixed(10), ({ whole }) => {
    asked.push(whole);
    return {};
  });
  expect(asked).toEqual(pieces.flatMap(() => [false, true]));
  expect(pieces.length).toBe(expectedPieces(legsOf(way), fixed(10)));
});
