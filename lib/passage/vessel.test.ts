import { fromKnots } from "@open-metocean/geo/knots";
import { RADIANS } from "@open-metocean/geo/sphere";
import { sunAltitude } from "@open-metocean/geo/sun";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import oracle from "./fixtures/passage.oracle.json" with { type: "json" };
import { encounterPeriod, lightAt, rollHint, verticalAcceleration } from "./piece-state.ts";
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
import {
  motionAlong,
  relativeTo,
  steerThrough,
  type Vessel,
  type Weather,
  windFelt,
  windOf,
} from "./vessel.ts";

const text = "TWA\\TWS;6;10;20\n0;0;0;0\n45;4;5;6\n90;5;6,5;8\n180;3;4;7\n";
const wind = (knots: number, from: number): Weather => ({
  Winds_10m_Intensity: fromKnots(knots),
  Winds_10m_Direction: from,
});
const current = (knots: number, to: number): Weather => ({
  Currents_Intensity: fromKnots(knots),
  Currents_Direction: to,
});
const sail = (motor?: { knots: number; below: number }): Vessel => ({
  kind: "sail",
  polar: readPolar(text),
  factor: 0.9,
  motor,
});

describe("a polar", () => {
  it("is linear between its entries, falls to 0 in a calm, and stays as it is above its winds", () => {
    const polar = readPolar(text);
    const at = [
      [67.5, 8],
      [90, 0],
      [90, 3],
      [90, 60],
    ] as const;
    expect(at.map(([angle, knots]) => polarSpeed(polar, angle, knots))).toEqual([5.125, 0, 2.5, 8]);
  });

  it("tacks or gybes where that makes more good, and never less than straight on", () => {
    const polar = readPolar(text);
    expect(sailed(polar, 0, 10).by).toBe("tacking");
    const number = (max: number) => fc.double({ min: 0, max, noNaN: true });
    fc.assert(
      fc.property(number(180), number(50), (angle, tws) => {
        const way = sailed(polar, angle, tws);
        expect(way.madeGood).toBeGreaterThanOrEqual(polarSpeed(polar, angle, tws));
        expect(way.madeGood).toBeLessThanOrEqual(way.knots + 1e-9);
      }),
      { seed: 3 },
    );
  });

  it("is sailed within 2 % of the best progress in any wind, ours, one of zeros, and ones at random", () => {
    const random = seeded(11);
    const atRandom = Array.from({ length: 30 }, () => {
      const first = Math.floor(4 * random());
      const row = (angle: number) => {
        const fast = Math.sin((angle * Math.PI) / 240) * (0.7 + 0.3 * random());
        return [0, 4, 8, 12].map((wind, at) => (at < first - 1 ? 0 : wind * fast * random())).join(";");
      };
      const angles = [0, 20, 30, 40, 50, 60, 75, 90, 110, 130, 150, 165, 180];
      return `TWA;0;4;8;12\n${angles.map((angle) => `${angle};${angle < 30 ? "0;0;0;0" : row(angle)}`).join("\n")}`;
    });
    const zeros =
      "TWA;0;4;8\n0;0;0;0\n35;0;1.5;4\n45;0;2.5;5\n60;0;3.4;5.6\n120;0;3.5;6\n150;0;2;5\n180;0;1;4";
    const noUpwind = "TWA;2;4;6\n0;0;0;0\n45;0;2;4\n60;0;3;4.5\n90;1;3;5\n140;0.5;2;4\n180;0;1;3";
    for (const polar of [zeros, noUpwind, ...genericPolars.map(genericPolar), ...atRandom].map(readPolar))
      for (const wind of [0.5, 1, 2, 3, 4, 5, 7, 9, 11])
        for (const sign of [1, -1]) {
          let best = 0;
          for (let angle = 0; angle <= 180; angle += 0.25)
            best = Math.max(best, sign * polarSpeed(polar, angle, wind) * Math.cos(angle * RADIANS));
          expect(sailed(polar, sign > 0 ? 0 : 180, wind).madeGood).toBeGreaterThanOrEqual(0.98 * best);
        }
  });
});

it("a motor table is linear in height and between its sides, and never faster in a higher sea", () => {
  const table = typicalTable(10);
  expect([0, 22.5, 45, 67.5, -112.5, 157.5, 180].map((angle) => motorSpeed(table, angle, 3))).toEqual([
    5.8, 5.8, 6.3, 6.8, 8.2, 8.8, 8.8,
  ]);
  expect([0, 1.5, 20].map((height) => motorSpeed(table, 0, height))).toEqual([10, 8.35, 3]);
  for (let angle = 0; angle <= 180; angle += 7.5)
    for (let height = 0; height < 8; height += 0.1)
      expect(motorSpeed(table, angle, height + 0.1)).toBeLessThanOrEqual(motorSpeed(table, angle, height));
});

describe("motion", () => {
  it("of a motor vessel follows the sea as it heads, not as it goes over ground", () => {
    const vessel: Vessel = { kind: "motor", knots: 10, table: typicalTable(10) };
    const sea = { Waves_Significant_Height: 2, Waves_Mean_Period: 7, Waves_Mean_Direction: 67.5 };
    expect(motionAlong(vessel, 0, sea).sog).toBeCloseTo(8.2, 9);
    // A current from starboard turns the bow towards the waves, which then come from further ahead.
    const { stw, heading } = motionAlong(vessel, 0, { ...sea, ...current(1.5, 270) });
    expect(heading).toBeCloseTo((Math.asin(1.5 / stw) * 180) / Math.PI, 1);
    expect(stw).toBeCloseTo(motorSpeed(typicalTable(10), 67.5 - heading!, 2), 3);
    expect(stw).toBeLessThan(8.1);
  });

  const held = { mode: "held", heading: null, stw: 0, sog: 0 };
  const motor = { knots: 5, below: 3 };
  it.each<[string, Vessel, Weather, object]>([
    ["becalmed without a motor", sail(), wind(0, 0), { ...held, flags: ["becalmed"] }],
    ["under motor in a calm", sail(motor), wind(0, 0), { mode: "motor", sog: 5 }],
    ["flagged beyond the table", sail(), wind(40, 90), { mode: "sail", flags: ["beyond_polar"] }],
    ["at the typical speed without a wind", sail(), {}, { mode: "sail", flags: ["typical_speed"] }],
    ["under motor where no wind is known", sail(motor), {}, { mode: "motor", sog: 5 }],
    [
      "sailing where a current carries it through a calm",
      sail(),
      { ...wind(0, 0), ...current(3, 0) },
      { mode: "sail" },
    ],
    ["tacking on the tack nearer to the course", sail(), wind(10, 10), { flags: ["tacking"] }],
    [
      "held by a stronger current",
      { kind: "fixed", knots: 4 },
      current(5, 180),
      { ...held, flags: ["current_too_strong"] },
    ],
  ])("is %s", (_, vessel, weather, expected) =>
    expect(motionAlong(vessel, 0, weather)).toMatchObject(expected),
  );

  it("to windward points off the course, and makes less good than it sails", () => {
    const { heading, sog, stw } = motionAlong(sail(), 0, wind(10, 10));
    expect(sog).toBeLessThan(stw);
    expect(heading).toBeGreaterThan(300);
  });

  it("is found wherever a heading keeps the course, and keeps it", () => {
    const random = seeded(35);
    const headings = Array.from({ length: 721 }, (_, index) => -90 + index / 4);
    let held = 0;
    for (let tries = 0; tries < 500; tries++) {
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
      const [across, along] = [Math.sin, Math.cos].map((of) => drift * of(set * RADIANS)) as [number, number];
      // Motion made good on each heading: the speed through the water, in the wind felt there, plus the
      // drift.
      const felt = windFelt(windOf(weather)!, set, drift);
      const still = { ...weather, ...current(0, 0), ...(tries % 2 && wind(felt.knots, felt.from)) };
      const ways = headings.map((off) => {
        const { sog } = motionAlong(vessel, off, still);
        return {
          aside: across + sog * Math.sin(off * RADIANS),
          ahead: along + sog * Math.cos(off * RADIANS),
        };
      });
      const possible = ways
        .slice(1)
        .flatMap(({ aside, ahead }, at) =>
          aside * ways[at]!.aside < 0 ? [Math.min(ahead, ways[at]!.ahead)] : [],
        );
      const motion = motionAlong(vessel, 0, weather);
      if (Math.max(...possible) > 0.2) expect(motion.mode).not.toBe("held");
      if (motion.mode === "held") held++;
      else if (!motion.flags.includes("tacking") && !motion.flags.includes("gybing"))
        expect(Math.abs(across + motion.stw * Math.sin(motion.heading! * RADIANS))).toBeLessThan(0.3);
    }
    expect(held).toBeGreaterThan(15);
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
      sail(motor),
      { kind: "fixed", knots: 12 },
      { kind: "motor", knots: 8, table: typicalTable(8) },
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...vessels),
        fc.integer({ min: 0, max: 359 }),
        weather,
        (vessel, course, at) => {
          const { sog, stw, heading, mode } = motionAlong(vessel, course, at);
          expect(Number.isFinite(sog) && Number.isFinite(stw)).toBe(true);
          expect(mode === "held" ? sog === 0 && heading === null : sog >= 0.1 && heading !== null).toBe(true);
        },
      ),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe("a polar is read", () => {
  const plain = readPolar("TWA\\TWS;6;8\n40;5;6\n90;0.5;7.5\n180;4;5");

  it.each([
    "TWA\\TWS,6,8\n40,5,6\n90,.5,7.5\n180,4,5\n",
    "twa/tws, 6, 8\n40, 5, 6\n90, .5, 7.5\n180, 4, 5\n",
    "  TWA/TWS   6   8\n   40  5   6\n  90   ,5  7,5\n 180  4.  5\n",
    "A boat; 40 feet\nTWA\\TWS;6;8;\n40;5;6;\n90;.5;7.5;\n180;4;5;\n",
    "# mine\r\nTWA\t6\t8\r\n90\t0,5\t7,5\r\n40\t5\t6\r\n180\t4\t5\r\n",
    "!Expedition polar\n! mine\n6\t40\t5\t90\t.5\t180\t4\n8\t40\t6\t90\t7.5\t180\t5\n",
    "!Expedition polar\n6 40 5 90 0,5 180 4\n8; 40; 6; 90; 7,5; 180; 5\n",
    "!Expedition polar\n6,40,5,90,.5,180,4\n8, 40, 6, 90, 7.5, 180, 5\n",
    "!Expedition polar - b\nTWS TWA BSP\n8 180 5 90 7.5 40 6\n6 40 5 90 0.5 180 4\n",
    // The axes are those that the corner names, or the only ones that the numbers allow.
    "TWS\\TWA;40;90;180\n6;5;0.5;4\n8;6;7.5;5\n",
    "TWS/TWA 180 90 40\n6 4 .5 5\n8 5 7.5 6\n",
    ";40;90;180\n6;5;0.5;4\n8;6;7.5;5\n",
    "Boat;6;8\n40;5;6\n90;.5;7.5\n180;4;5\n",
  ])("in any separator, decimal sign and order: %j", (text) => expect(readPolar(text)).toEqual(plain));

  it("with the rows of ORC, which have the best angles of single winds", () => {
    const { angles, winds, speeds } = readPolar(
      "twa/tws;6;8\n0;0;0\n43;3;0\n41;0;4\n53;5;6\n150;4;5\n145;4.5;0\n155;0;4.6\n145;0;5.4\n",
    );
    expect([winds, angles]).toEqual([
      [6, 8],
      [0, 41, 43, 53, 145, 150, 155],
    ]);
    // A boat does not sail closer to the wind than its best angle; a 0 between two speeds is filled.
    expect(speeds.map(([six]) => six)).toEqual([0, 0, 3, 5, 4.5, 4, 0]);
    expect(speeds.map(([, eight]) => eight)).toEqual([0, 4, expect.closeTo(13 / 3, 9), 6, 5.4, 5, 4.6]);
  });

  it("with empty cells, and rows of different angles, as if they had been left out", () => {
    const polar = readPolar("TWA;4;6;8\n40;;4;\n50;;;6\n60;;5;7\n90;;;8\n120;;6;\n");
    expect(polar.winds).toEqual([6, 8]);
    expect(polarSpeed(polar, 50, 6)).toBeCloseTo(4.5, 9);
    expect(polarSpeed(polar, 90, 6)).toBeCloseTo(5.5, 9);
    expect(polarSpeed(polar, 40, 8)).toBeCloseTo((6 * 40) / 50, 9);
    expect(polarSpeed(polar, 120, 8)).toBe(8);
    expect(readPolar("TWA\t6\t8\n40\t4\t\n90\t5\t6\n").speeds[0]![1]).toBeCloseTo((6 * 40) / 90, 9);
    // A wind whose speeds are all 0 is dropped between others, but kept if it is the weakest.
    expect(readPolar("TWA;0;4;6;8\n40;0;2;0;6\n90;0;3;0;7").winds).toEqual([0, 4, 8]);
  });

  const winds = Array.from({ length: 201 }, (_, at) => `${at} 40 1 90 2`).join("\n");
  it.each([
    ["", "begin with"],
    ["TWA;6;8", "at least one wind and two angles"],
    ["TWA;8;6\n40;5;5\n90;5;6", "winds of the polar should ascend"],
    ["TWA;6;8\n90;5;5\n190;5;6", "angles of the polar should be at most 180"],
    ["TWA;6;8\n90;5;-5\n180;5;6", "“-5”"],
    ["TWA;6;8\n40;5;5\n90;5;6\n40;4;6", "Line 4 of the polar has another speed for the angle 40"],
    ["TWA;6;8\n40;5\n90;5;6", "Line 2 of the polar has 1 speeds for 2 winds"],
    ["TWA;6;8\n;5;5\n90;5;6", "“” where a number should be"],
    ["TWS\\TWA;6;8\n40;5;6\n90;5;6\n180;4;5", "headed TWS\\TWA, but its angles stay below 90°"],
    ["Boat;6;8\n30;3;4\n40;4;5", "should say which axis is which"],
    ["TWA\\TWS;6;120\n40;5;6\n90;5;6", "winds of the polar should be below 90 kn"],
    ["TWA\\TWS (m/s);3;4\n40;5;6\n90;5;6", "should be in knots"],
    ["Speeds in m/s\nTWA\\TWS;3;4\n40;5;6\n90;5;6", "should be in knots"],
    ["AWA\\AWS;6;8\n40;5;6\n90;5;6", "names apparent ones"],
    ["!Expedition polar\n6 40 5 90\n", "Line 2 of the polar should have a wind of its own"],
    ["!Expedition polar\n6 40 5\n6 90 6\n", "Line 3 of the polar should have a wind of its own"],
    [`!Expedition polar\n${winds}`, "at most 200 winds"],
  ])("or it says what is wrong: %j", (wrong, message) => {
    expect(() => readPolar(wrong)).toThrow(PolarError);
    expect(() => readPolar(wrong)).toThrow(message);
  });
});

describe("the current triangle", () => {
  it.each(oracle.triangles)("keeps the course over ground $course", (way) => {
    const solved = steerThrough(way.course, way.stw, way.set, way.drift)!;
    expect(relativeTo(solved.heading, way.heading)).toBeCloseTo(0, 6);
    expect(solved.sog).toBeCloseTo(way.sog, 6);
  });

  it("has no solution where the current is stronger than the boat, ahead or across", () => {
    expect(steerThrough(0, 4, 180, 5)).toBeUndefined();
    expect(steerThrough(0, 4, 90, 4.1)).toBeUndefined();
    expect(steerThrough(0, 4, 180, 3.95)).toBeUndefined();
    expect(steerThrough(0, 4, 0, 5)).toEqual({ heading: 0, sog: 9 });
  });
});

it.each(oracle.winds)("the apparent wind of $wind kn from $from", (way) => {
  const answer = windFelt({ knots: way.wind, from: way.from }, way.course, way.sog);
  expect(answer.knots).toBeCloseTo(way.felt, 9);
  expect(relativeTo(answer.from, way.felt_from)).toBeCloseTo(0, 6);
});

describe("encounter", () => {
  it.each(oracle.waves)("of waves of $period s from $from", (wave) => {
    const met = encounterPeriod(wave.period, wave.from, wave.heading, wave.stw);
    if (Math.abs(wave.encounter) > 600) return expect(met).toBeNull();
    expect(met! / wave.encounter).toBeCloseTo(1, 9);
    expect(verticalAcceleration(wave.height, met) / wave.g).toBeCloseTo(1, 2);
  });

  it("has no period where the boat keeps with the waves, which then do not accelerate it", () => {
    const keepsWith = ((9.80665 * 4) / (2 * Math.PI)) * (3600 / 1852);
    expect(encounterPeriod(4, 180, 0, keepsWith)).toBeNull();
    expect(encounterPeriod(0, 180, 0, 5)).toBeNull();
    expect(verticalAcceleration(5, null)).toBe(0);
  });

  const sea = { height: 3, period: 9, relative: 60, encounter: 9 };
  const following = { height: 3, period: 9, relative: 170, encounter: 10 };
  it.each([
    [sea, { rollPeriod: 10 }, "synchronous_roll"],
    [{ ...sea, encounter: 12.1 }, { rollPeriod: 10 }, undefined],
    [{ ...sea, height: 0.3 }, { rollPeriod: 10 }, undefined],
    [following, { rollPeriod: 20, length: 120 }, "parametric_roll"],
    [following, { rollPeriod: 20 }, undefined],
    [following, { rollPeriod: 20, length: 300 }, undefined],
    [{ ...following, relative: 20 }, { rollPeriod: 20, length: 120 }, undefined],
  ])("of %o with a ship of %o hints at %s", (waves, ship, hint) => expect(rollHint(waves, ship)).toBe(hint));
});

it.each(oracle.suns)("puts the sun at time $time where Meeus does", ({ time, at, altitude }) => {
  const there = { latitude: at[0]!, longitude: at[1]! };
  expect(Math.abs(sunAltitude(time, there) - altitude)).toBeLessThan(0.03);
});

it("it is dark when the sun is 6° below the horizon", () => {
  expect([-0.8, -5, -7].map(lightAt)).toEqual(["day", "twilight", "night"]);
});
