import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FuelForm, fuelOf, fuelProblem, fuelUsed } from "./fuel.ts";
import type { Piece } from "./march.ts";

/** A table as an engine's maker has it. */
const curve = [
  { speed_kt: 4, rate: 1.5 },
  { speed_kt: 6, rate: 4 },
  { speed_kt: 7, rate: 7 },
];
const litres: FuelForm = { unit: "l_h", curve };

function piece(stw: number, minutes: number, mode: Piece["motion"]["mode"] = "motor", begins = 0): Piece {
  const at = { latitude: 50, longitude: -5, time: begins };
  const motion = { mode, heading: 0, stw, sog: stw, flags: [] };
  return { leg: 0, start: at, at, seconds: 60 * minutes, miles: 1, course: 0, motion, weather: {} };
}

describe("consumption", () => {
  it("is linear between the speeds of its curve, and below the first that of the first", () => {
    const { perHour } = fuelOf(litres);
    expect([0, 4, 5, 6, 6.5, 7].map(perHour)).toEqual([1.5, 1.5, 2.75, 4, 5.5, 7]);
  });

  it("by revolutions is that of the revolutions at which the vessel makes the speed", () => {
    const form: FuelForm = {
      unit: "l_h",
      rpm_speed: [
        { rpm: 1000, speed_kt: 4 },
        { rpm: 2000, speed_kt: 6 },
        { rpm: 2500, speed_kt: 6.5 },
      ],
      rpm_rate: [
        { rpm: 800, rate: 1 },
        { rpm: 1600, rate: 3 },
        { rpm: 2400, rate: 7 },
      ],
    };
    const { perHour } = fuelOf(form);
    // By hand: 5 kt at 1500 rpm, 5.2 at 1600, 6 at 2000, 6.4 at 2400.
    expect(perHour(5)).toBeCloseTo(1 + (2 * 700) / 800, 12);
    expect(perHour(5.2)).toBeCloseTo(3, 12);
    expect(perHour(6)).toBeCloseTo(5, 12);
    expect(perHour(6.4)).toBeCloseTo(7, 12);
    expect(fuelProblem(form, 6.4)).toBeUndefined();
    expect(fuelProblem(form, 6.5)).toEqual({
      field: "rpm_rate",
      text: "The consumption is known up to 6.4 kt, and the vessel makes 6.5 kt under motor",
    });
  });

  it("by revolutions equals that of a curve made of both tables, at any speed", () => {
    const ascending = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 8 });
    const sums = (steps: number[], scale: number) =>
      steps.map((_, at) => scale * steps.slice(0, at + 1).reduce((a, b) => a + b, 0));
    fc.assert(
      fc.property(ascending, ascending, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, share) => {
        const rpm = sums(one, 50);
        const knots = sums(
          one.map((_, at) => other[at % other.length]!),
          0.1,
        );
        const rpm_speed = rpm.map((of, at) => ({ rpm: of, speed_kt: knots[at]! }));
        const rpm_rate = rpm.map((of) => ({ rpm: of, rate: of ** 2 / 1e5 }));
        const same = knots.map((speed_kt, at) => ({ speed_kt, rate: rpm_rate[at]!.rate }));
        const at = share * knots.at(-1)!;
        const byRpm = fuelOf({ unit: "l_h", rpm_speed, rpm_rate }).perHour(at);
        expect(byRpm).toBeCloseTo(fuelOf({ unit: "l_h", curve: same }).perHour(at), 9);
      }),
    );
  });

  it.each<[Partial<FuelForm>, number, string, string]>([
    [{}, 0, "curve", "either curve or both"],
    [{ rpm_speed: [{ rpm: 1, speed_kt: 1 }] }, 0, "curve", "either curve or both"],
    [{ curve, rpm_rate: [{ rpm: 1, rate: 1 }] }, 0, "curve", "either curve or both"],
    [{ curve: curve.toReversed() }, 0, "curve", "should ascend"],
    [{ curve: [curve[0]!, curve[0]!] }, 0, "curve", "should ascend"],
    [{ curve }, 7.1, "curve", "up to 7 kt, and the vessel makes 7.1 kt"],
    [
      {
        rpm_speed: [
          { rpm: 1, speed_kt: 2 },
          { rpm: 2, speed_kt: 2 },
        ],
        rpm_rate: [
          { rpm: 1, rate: 1 },
          { rpm: 2, rate: 2 },
        ],
      },
      0,
      "rpm_speed",
      "should ascend",
    ],
    [
      {
        rpm_speed: [
          { rpm: 1, speed_kt: 2 },
          { rpm: 2, speed_kt: 3 },
        ],
        rpm_rate: [
          { rpm: 3, rate: 1 },
          { rpm: 4, rate: 2 },
        ],
      },
      0,
      "rpm_rate",
      "in common",
    ],
  ])("of %j for %f kt is refused", (form, fastest, field, text) => {
    expect(fuelProblem({ unit: "l_h", ...form }, fastest)).toEqual({
      field,
      text: expect.stringContaining(text),
    });
  });
});

describe("the fuel of a passage", () => {
  const pieces = [
    piece(6, 30),
    piece(6, 30, "sail", 1800),
    piece(0, 30, "held", 3600),
    piece(7, 20, "motor", 5400),
    piece(5, 12, "motor", 6600),
  ];

  it("is the sum of its pieces under motor, by hand", () => {
    // 4 l/h × 0.5 h + 7 l/h × 1/3 h + 2.75 l/h × 0.2 h
    expect(fuelUsed(fuelOf(litres), pieces)).toMatchObject({
      used: expect.closeTo(2 + 7 / 3 + 0.55, 12),
      co2Tonnes: undefined,
      over: undefined,
    });
    expect(fuelUsed(fuelOf(litres), []).used).toBe(0);
  });

  it("of a ship is in tonnes, from tonnes per day, and its CO₂ follows from the emission factor", () => {
    const ship: FuelForm = { unit: "t_day", curve: [{ speed_kt: 14, rate: 36 }], co2_factor: 3.114 };
    const day = Array.from({ length: 48 }, () => piece(14, 30));
    const { used, co2Tonnes } = fuelUsed(fuelOf(ship), day);
    expect(used).toBeCloseTo(36, 9);
    expect(co2Tonnes).toBeCloseTo(36 * 3.114, 9);
    // 2.68 kg of CO₂ from a litre of diesel.
    const boat = fuelUsed(fuelOf({ ...litres, co2_factor: 2.68 }), [piece(6, 60)]);
    expect(boat.co2Tonnes).toBeCloseTo((4 * 2.68) / 1000, 12);
  });

  it("passes its limit in the piece and at the time when so much is used", () => {
    const at = (limit: number) => fuelUsed(fuelOf({ ...litres, limit }), pieces).over;
    expect(at(2)).toMatchObject({ piece: 3, time: 5400 });
    expect(at(1)).toEqual({ piece: 0, time: 900 });
    expect(at(3.4)).toEqual({ piece: 3, time: expect.closeTo(5400 + 720, 6) });
    expect(at(4.9)).toBeUndefined();
  });
});
