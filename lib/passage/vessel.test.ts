import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromKnots } from "#lib/knots.ts";
import { seeded } from "#test/seeded.ts";
import {
  genericPolar,
  genericPolars,
  motorSpeed,
  PolarError,
  polarSpeed,
  readPolar,
  sailed,
  typicalTable,
} from "./polar.ts";
import { motionAlong, typicalSpeed, type Vessel, type Weather, windFelt, windOf } from "./vessel.ts";

const text = "TWA\\TWS;6;10;20\n0;0;0;0\n45;4;5;6\n90;5;6,5;8\n180;3;4;7\n";
const wind = (knots: number, from: number): Weather => ({
  Winds_10m_Intensity: fromKnots(knots),
  Winds_10m_Direction: from,
});
const current = (knots: number, to: number): Weather => ({
  Currents_Intensity: fromKnots(knots),
  Currents_Direction: to,
});
/** The wind that a boat feels that drifts with a current. */
function windOverWater(weather: Weather, drift: number, set: number): Weather {
  const over = windFelt(windOf(weather)!, set, drift);
  return wind(over.knots, over.from);
}
const sail = (motor?: { knots: number; below: number }): Vessel => ({
  kind: "sail",
  polar: readPolar(text),
  factor: 0.9,
  motor,
});

describe("a polar", () => {
  it("is read with semicolons or tabs, decimal commas, comments and any line ends", () => {
    expect(readPolar(text)).toEqual(
      readPolar(`# mine\r\n${text.replaceAll(";", "\t").replaceAll("\n", "\r\n")}`),
    );
    expect(polarSpeed(readPolar(text), 90, 10)).toBe(6.5);
  });

  it.each([
    ["", "begin with"],
    ["TWA;6;8", "at least one wind and two angles"],
    ["TWA;6;8\n40;5\n90;5;6", "Line 2 of the polar has 1 speeds for 2 winds"],
    ["TWA;6;8\n40;5;x\n90;5;6", "“x” where a number should be"],
    ["TWA;8;6\n40;5;5\n90;5;6", "winds of the polar should ascend"],
    ["TWA;6;8\n90;5;5\n190;5;6", "angles of the polar should be at most 180"],
    ["TWA;6;8\n90;5;-5\n180;5;6", "“-5”"],
  ])("that is wrong says where: %j", (wrong, message) => {
    expect(() => readPolar(wrong)).toThrow(PolarError);
    expect(() => readPolar(wrong)).toThrow(message);
  });

  it("is linear between its entries, falls to 0 in a calm, and stays as it is above its winds", () => {
    const polar = readPolar(text);
    expect(polarSpeed(polar, 67.5, 8)).toBeCloseTo((4 + 5 + 5 + 6.5) / 4, 9);
    expect(polarSpeed(polar, 90, 0)).toBe(0);
    expect(polarSpeed(polar, 90, 3)).toBeCloseTo(2.5, 9);
    expect(polarSpeed(polar, 90, 60)).toBe(8);
  });

  it("tacks where that makes more good to windward, and never less than straight on", () => {
    const polar = readPolar(text);
    const beat = sailed(polar, 0, 10);
    expect(beat.by).toBe("tacking");
    let most = 0;
    for (let angle = 0; angle < 90; angle++)
      most = Math.max(most, polarSpeed(polar, angle, 10) * Math.cos((angle * Math.PI) / 180));
    expect(beat.madeGood).toBeCloseTo(most, 9);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 180, noNaN: true }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        (angle, tws) => {
          const way = sailed(polar, angle, tws);
          expect(way.madeGood).toBeGreaterThanOrEqual(polarSpeed(polar, angle, tws));
          expect(way.madeGood).toBeLessThanOrEqual(way.knots + 1e-9);
        },
      ),
      { seed: 3 },
    );
  });

  it.each(genericPolars)(
    "of our own can be read, and sails faster across the wind than before it (%s)",
    (name) => {
      const polar = readPolar(genericPolar(name));
      expect(polarSpeed(polar, 90, 12)).toBeGreaterThan(polarSpeed(polar, 180, 12));
      expect(polarSpeed(polar, 90, 12)).toBeGreaterThan(5);
    },
  );
});

describe("a motor table", () => {
  it("does not jump where one side of the waves meets the next", () => {
    const table = typicalTable(10);
    for (const edge of [45, 90, 135, -45, -90, -135])
      expect(Math.abs(motorSpeed(table, edge - 0.01, 3) - motorSpeed(table, edge + 0.01, 3))).toBeLessThan(
        0.01,
      );
    expect([0, 22.5, 45, 67.5, -112.5, 157.5, 180].map((angle) => motorSpeed(table, angle, 3))).toEqual([
      5.8, 5.8, 6.3, 6.8, 8.2, 8.8, 8.8,
    ]);
  });

  it("is linear in height, and never faster in a higher sea", () => {
    const table = typicalTable(10);
    expect(motorSpeed(table, 0, 0)).toBe(10);
    expect(motorSpeed(table, 0, 1.5)).toBeCloseTo((9.2 + 7.5) / 2, 9);
    expect(motorSpeed(table, 0, 20)).toBe(3);
    for (let angle = 0; angle <= 180; angle += 7.5)
      for (let height = 0; height < 8; height += 0.1)
        expect(motorSpeed(table, angle, height + 0.1)).toBeLessThanOrEqual(motorSpeed(table, angle, height));
  });
});

describe("motion", () => {
  it("of a motor vessel follows the sea as it heads, not as it goes over ground", () => {
    const vessel: Vessel = { kind: "motor", knots: 10, table: typicalTable(10) };
    const sea = { Waves_Significant_Height: 2, Waves_Mean_Period: 7, Waves_Mean_Direction: 67.5 };
    expect(motionAlong(vessel, 0, sea).sog).toBeCloseTo(8.2, 9);
    // A current from starboard turns the bow towards the waves, which are then further ahead.
    const { stw, heading } = motionAlong(vessel, 0, { ...sea, ...current(1.5, 270) });
    expect(heading).toBeCloseTo((Math.asin(1.5 / stw) * 180) / Math.PI, 1);
    expect(stw).toBeCloseTo(motorSpeed(typicalTable(10), 67.5 - heading!, 2), 3);
    expect(stw).toBeLessThan(8.1);
    expect(motionAlong(vessel, 0, {})).toMatchObject({ sog: 10, flags: ["typical_speed"] });
  });

  it("of a sailing boat is a state without wind, or under motor, and flagged beyond the table", () => {
    expect(motionAlong(sail(), 0, wind(0, 0))).toEqual({
      mode: "held",
      heading: null,
      stw: 0,
      sog: 0,
      flags: ["becalmed"],
    });
    expect(motionAlong(sail({ knots: 5, below: 3 }), 0, wind(0, 0))).toMatchObject({ mode: "motor", sog: 5 });
    expect(motionAlong(sail(), 0, wind(40, 90))).toMatchObject({ mode: "sail", flags: ["beyond_polar"] });
    expect(motionAlong(sail(), 0, {})).toMatchObject({ flags: ["typical_speed"] });
  });

  it("where no wind is known counts as under motor only for a boat that has one", () => {
    expect(motionAlong(sail(), 0, {})).toMatchObject({ mode: "sail", flags: ["typical_speed"] });
    expect(motionAlong(sail({ knots: 5, below: 3 }), 0, {})).toMatchObject({ mode: "motor", sog: 5 });
  });

  it("to windward points off the course, and makes less good than it sails", () => {
    const beating = motionAlong(sail(), 0, wind(10, 10));
    expect(beating.flags).toEqual(["tacking"]);
    expect(beating.sog).toBeLessThan(beating.stw);
    // The wind is 10° to starboard: the starboard tack is the one nearer to the course.
    expect(beating.heading).toBeGreaterThan(300);
  });

  it("feels the wind over the water: drifting with a current in a calm there is wind to sail by", () => {
    expect(motionAlong(sail(), 0, { ...wind(0, 0), ...current(3, 0) }).mode).toBe("sail");
  });

  it("against a stronger current is a state", () => {
    const motion = motionAlong({ kind: "fixed", knots: 4 }, 0, current(5, 180));
    expect(motion).toEqual({ mode: "held", heading: null, stw: 0, sog: 0, flags: ["current_too_strong"] });
  });

  it("is found wherever a heading keeps the course, and keeps it", () => {
    const random = seeded(35);
    const headings = Array.from({ length: 721 }, (_, index) => -90 + index / 4);
    let held = 0;
    for (let tries = 0; tries < 1500; tries++) {
      const vessel: Vessel =
        tries % 2 ? sail() : { kind: "motor", knots: 4, table: typicalTable(1 + 3 * random()) };
      const [drift, set] = [3 * random(), 360 * random()];
      const weather: Weather = {
        ...wind(14 * random(), 360 * random()),
        ...current(drift, set),
        Waves_Significant_Height: 6 * random(),
        Waves_Mean_Period: 7,
        Waves_Mean_Direction: 360 * random(),
      };
      const [across, along] = [Math.sin, Math.cos].map((of) => drift * of((set * Math.PI) / 180));
      // Each heading in a current that holds nobody back: what the vessel makes good as it heads.
      const drifts = headings.map((off) => {
        const still = { ...weather, ...current(0, 0) };
        const over = windOverWater(weather, drift, set);
        const { sog } = motionAlong(vessel, off, vessel.kind === "sail" ? { ...still, ...over } : still);
        return [
          across! + sog * Math.sin((off * Math.PI) / 180),
          along! + sog * Math.cos((off * Math.PI) / 180),
        ];
      });
      const possible = drifts
        .slice(1)
        .flatMap(([aside, ahead], at) =>
          aside! * drifts[at]![0]! < 0 ? [Math.min(ahead!, drifts[at]![1]!)] : [],
        );
      const motion = motionAlong(vessel, 0, weather);
      if (Math.max(...possible) > 0.2) expect(motion.mode).not.toBe("held");
      if (motion.mode === "held") held++;
      else if (!motion.flags.includes("tacking") && !motion.flags.includes("gybing")) {
        const bow = (motion.heading! * Math.PI) / 180;
        expect(Math.abs(across! + motion.stw * Math.sin(bow))).toBeLessThan(0.3);
      }
    }
    expect(held).toBeGreaterThan(50);
  });

  it("is finite for any weather", () => {
    const number = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }), { nil: null });
    const weather = fc.record({
      Winds_10m_Intensity: number(60),
      Winds_10m_Direction: number(359.9),
      Currents_Intensity: number(5),
      Currents_Direction: number(359.9),
      Waves_Significant_Height: number(15),
      Waves_Mean_Period: number(20),
      Waves_Mean_Direction: number(359.9),
    });
    const vessels: Vessel[] = [
      sail(),
      sail({ knots: 5, below: 3 }),
      { kind: "fixed", knots: 12 },
      { kind: "motor", knots: 8, table: typicalTable(8) },
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...vessels),
        fc.double({ min: 0, max: 359, noNaN: true }),
        weather,
        (vessel, course, at) => {
          const { sog, stw, heading, mode } = motionAlong(vessel, course, at);
          expect(Number.isFinite(sog) && Number.isFinite(stw)).toBe(true);
          expect(mode === "held" ? sog === 0 && heading === null : sog >= 0.1 && heading !== null).toBe(true);
          expect(typicalSpeed(vessel)).toBeGreaterThan(0);
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });
});
