import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RADIANS } from "#lib/geo/sphere.ts";
import { sunAltitude } from "#lib/geo/sun.ts";
import { fromKnots } from "#lib/knots.ts";
import { seeded } from "#test/seeded.ts";
import oracle from "./fixtures/passage.oracle.json" with { type: "json" };
import { encounterPeriod, lightAt, rollHint, verticalAcceleration } from "./piece-state.ts";
import {
  genericPolar,
  genericPolars,
  motorSpeed,
  type Polar,
  PolarError,
  polarSpeed,
  readPolar,
  sailed,
  typicalTable,
} from "./polar.ts";
import {
  currentParts,
  motionAlong,
  relativeTo,
  steerThrough,
  typicalSpeed,
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
    // Where no wind is known only a boat that has a motor is under it.
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

/** Best speed made good to windward (1) or to leeward (−1), by trying every quarter of a degree. */
function bestMadeGood(polar: Polar, wind: number, sign: 1 | -1): number {
  let best = 0;
  for (let angle = 0; angle <= 180; angle += 0.25)
    best = Math.max(best, sign * polarSpeed(polar, angle, wind) * Math.cos(angle * RADIANS));
  return best;
}

function expectBestProgress(polar: Polar, winds: readonly number[]): void {
  for (const wind of winds)
    for (const sign of [1, -1] as const) {
      const best = bestMadeGood(polar, wind, sign);
      expect(sailed(polar, sign > 0 ? 0 : 180, wind).madeGood, `${wind} kn`).toBeGreaterThanOrEqual(
        0.98 * best,
      );
    }
}

describe("light wind is sailed within 2 % of the best progress", () => {
  const winds = [0.5, 1, 2, 3, 4, 5];

  it("where the table begins with a wind of zeros", () => {
    const zeros =
      "TWA\\TWS;0;4;8\n0;0;0;0\n35;0;1.5;4\n45;0;2.5;5\n60;0;3.4;5.6\n120;0;3.5;6\n150;0;2;5\n180;0;1;4";
    expectBestProgress(readPolar(zeros), winds);
  });

  it("where the boat makes no way to windward in the first wind", () => {
    const polar = readPolar(
      "TWA\\TWS;2;4;6\n0;0;0;0\n45;0;2;4\n60;0;3;4.5\n90;1;3;5\n140;0.5;2;4\n180;0;1;3",
    );
    expectBestProgress(polar, winds);
    expect(sailed(polar, 0, 3).by).toBe("tacking");
  });

  it("by our own polars, and by ones at random", () => {
    for (const name of genericPolars) expectBestProgress(readPolar(genericPolar(name)), winds);
    const random = seeded(11);
    for (let round = 0; round < 30; round++) {
      const first = Math.floor(4 * random());
      const row = (angle: number) => {
        const fast = Math.sin((angle * Math.PI) / 240) * (0.7 + 0.3 * random());
        return [0, 4, 8, 12].map((wind, at) => (at < first - 1 ? 0 : wind * fast * random())).join(";");
      };
      const angles = [0, 20, 30, 40, 50, 60, 75, 90, 110, 130, 150, 165, 180];
      const rows = angles.map((angle) => `${angle};${angle < 30 ? "0;0;0;0" : row(angle)}`);
      expectBestProgress(readPolar(["TWA;0;4;8;12", ...rows].join("\n")), [...winds, 7, 9, 11]);
    }
  });
});

describe("a polar is read", () => {
  const plain = readPolar("TWA\\TWS;6;8\n40;5;6\n90;0.5;7.5\n180;4;5");

  it.each([
    ["commas", "TWA\\TWS,6,8\n40,5,6\n90,.5,7.5\n180,4,5\n"],
    ["commas and spaces", "twa/tws, 6, 8\n40, 5, 6\n90, .5, 7.5\n180, 4, 5\n"],
    ["spaces", "  TWA/TWS   6   8\n   40  5   6\n  90   ,5  7,5\n 180  4.  5\n"],
    [
      "a title, and separators at the ends",
      "A boat; 40 feet\nTWA\\TWS;6;8;\n40;5;6;\n90;.5;7.5;\n180;4;5;\n",
    ],
    [
      "tabs, comments and other line ends",
      "# mine\r\nTWA\t6\t8\r\n40\t5\t6\r\n90\t0,5\t7,5\r\n180\t4\t5\r\n",
    ],
    ["angles in another order", "TWA\t6\t8\n90\t0.5\t7.5\n40\t5\t6\n180\t4\t5\n"],
    ["Expedition's form", "!Expedition polar\n! mine\n6\t40\t5\t90\t.5\t180\t4\n8\t40\t6\t90\t7.5\t180\t5\n"],
    [
      "Expedition's form, decimal commas",
      "!Expedition polar\n6 40 5 90 0,5 180 4\n8; 40; 6; 90; 7,5; 180; 5\n",
    ],
    ["Expedition's form, commas alone", "!Expedition polar\n6,40,5,90,.5,180,4\n8, 40, 6, 90, 7.5, 180, 5\n"],
    [
      "Expedition's form, the stronger wind first",
      "!Expedition polar - b\nTWS TWA BSP\n8 180 5 90 7.5 40 6\n6 40 5 90 0.5 180 4\n",
    ],
  ])("with %s", (_, text) => expect(readPolar(text)).toEqual(plain));

  it("with the rows of ORC, which have the best angles of single winds", () => {
    const { angles, winds, speeds } = readPolar(
      "twa/tws;6;8\n0;0;0\n43;3;0\n41;0;4\n53;5;6\n150;4;5\n145;4.5;0\n155;0;4.6\n145;0;5.4\n",
    );
    expect(winds).toEqual([6, 8]);
    expect(angles).toEqual([0, 41, 43, 53, 145, 150, 155]);
    // Nearer to the wind than its best angle a boat does not sail; between two speeds there is no 0.
    expect(speeds.map(([six]) => six)).toEqual([0, 0, 3, 5, 4.5, 4, 0]);
    const [, eight] = [0, speeds.map((row) => row[1]!)];
    expect(eight[2]).toBeCloseTo(4 + (2 * 2) / 12, 9);
    expect([eight[1], ...eight.slice(3)]).toEqual([4, 6, 5.4, 5, 4.6]);
  });

  it("with empty cells, and rows of different angles, as if they had been left out", () => {
    const polar = readPolar("TWA;4;6;8\n40;;4;\n50;;;6\n60;;5;7\n90;;;8\n120;;6;\n");
    expect(polar.winds).toEqual([6, 8]);
    expect(polarSpeed(polar, 50, 6)).toBeCloseTo(4.5, 9);
    expect(polarSpeed(polar, 90, 6)).toBeCloseTo(5.5, 9);
    expect(polarSpeed(polar, 40, 8)).toBeCloseTo((6 * 40) / 50, 9);
    expect(polarSpeed(polar, 120, 8)).toBe(8);
  });

  it("with tabs, where the last cell of a row is empty", () => {
    expect(readPolar("TWA\t6\t8\n40\t4\t\n90\t5\t6\n").speeds[0]![1]).toBeCloseTo((6 * 40) / 90, 9);
  });

  it("without a wind of zeros between others, but with weaker ones", () => {
    expect(readPolar("TWA;0;4;6;8\n40;0;2;0;6\n90;0;3;0;7").winds).toEqual([0, 4, 8]);
  });

  it.each([
    ["", "begin with"],
    ["TWA;6;8", "at least one wind and two angles"],
    ["TWA;8;6\n40;5;5\n90;5;6", "winds of the polar should ascend"],
    ["TWA;6;8\n90;5;5\n190;5;6", "angles of the polar should be at most 180"],
    ["TWA;6;8\n90;5;-5\n180;5;6", "“-5”"],
    ["TWA;6;8\n40;5;5\n90;5;6\n40;4;6", "Line 4 of the polar has another speed for the angle 40"],
    ["TWA;6;8\n40;5\n90;5;6", "Line 2 of the polar has 1 speeds for 2 winds"],
    ["TWA;6;x\n40;5;6", "“x” where a number should be"],
    ["TWA;6;8\n40;0x5;5\n90;5;6", "“0x5”"],
    ["TWA;6;8\n;5;5\n90;5;6", "“” where a number should be"],
    ["!Expedition polar\n6 40 5 90\n", "Line 2 of the polar should have a wind of its own"],
    ["!Expedition polar\n6 40 5\n6 90 6\n", "Line 3 of the polar should have a wind of its own"],
    ["!Expedition polar\n6 40 5 90 x\n", "“x”"],
    ["!Expedition polar\n", "at least one wind"],
    [
      `!Expedition polar\n${Array.from({ length: 9000 }, (_, at) => `${at} 1.${at} 1`).join("\n")}`,
      "at most 200 winds",
    ],
  ])("or it says what is wrong: %j", (wrong, message) => {
    expect(() => readPolar(wrong)).toThrow(PolarError);
    expect(() => readPolar(wrong)).toThrow(message);
  });
});

describe("the current triangle", () => {
  it.each(oracle.triangles)(
    "keeps the course over ground $course",
    ({ course, stw, set, drift, heading, sog }) => {
      const solved = steerThrough(course, stw, set, drift)!;
      expect(relativeTo(solved.heading, heading)).toBeCloseTo(0, 6);
      expect(solved.sog).toBeCloseTo(sog, 6);
    },
  );

  // After Bowditch, The American Practical Navigator: finding the course to steer at a speed through the water.
  it("is that of Bowditch's example: 095° through 170° 2.5 kn at 12 kn is 083.5°, and 12.4 kn over ground", () => {
    const { heading, sog } = steerThrough(95, 12, 170, 2.5)!;
    expect(Math.abs(heading - 83.5)).toBeLessThan(0.5);
    expect(sog).toBeCloseTo(12.4, 1);
  });

  // Triangles of the exercises of a chart course. Speeds are its answers; its headings, drawn on paper, are up to 2° off these.
  it.each([
    [90, 5, 210, 2, 70, 3.7],
    [45, 6.55, 135, 2, 27, 6.2],
    [235, 6.2, 315, 3.5, 201, 5.8],
  ])("is as drawn: %d° at %d kn in %d° %d kn", (course, stw, set, drift, heading, sog) => {
    const solved = steerThrough(course, stw, set, drift)!;
    expect(Math.abs(solved.heading - heading)).toBeLessThanOrEqual(1);
    expect(Math.abs(solved.sog - sog)).toBeLessThan(0.08);
  });

  it("has no solution where the current is stronger than the boat, ahead or across", () => {
    expect(steerThrough(0, 4, 180, 5)).toBeUndefined();
    expect(steerThrough(0, 4, 90, 4.1)).toBeUndefined();
    expect(steerThrough(0, 4, 180, 3.95)).toBeUndefined();
    expect(steerThrough(0, 4, 0, 5)).toEqual({ heading: 0, sog: 9 });
  });

  it("is a number or nothing, never NaN", () => {
    const angle = fc.double({ min: 0, max: 360, noNaN: true });
    const speed = fc.double({ min: 0, max: 40, noNaN: true });
    fc.assert(
      fc.property(angle, speed, angle, speed, (course, stw, set, drift) => {
        const solved = steerThrough(course, stw, set, drift);
        if (!solved) return;
        expect(solved.sog).toBeGreaterThan(0);
        const { across } = currentParts(course, set, drift);
        const aside = stw * Math.sin(((solved.heading - course) * Math.PI) / 180) + across;
        expect(aside).toBeCloseTo(0, 9);
      }),
      { seed: 2 },
    );
  });
});

describe("the apparent wind", () => {
  it.each(oracle.winds)("of $wind kn from $from", ({ wind, from, course, sog, felt, felt_from }) => {
    const answer = windFelt({ knots: wind, from }, course, sog);
    expect(answer.knots).toBeCloseTo(felt, 9);
    expect(relativeTo(answer.from, felt_from)).toBeCloseTo(0, 6);
  });

  it("is the boat's own in a calm, from ahead, and nothing for a boat that runs as fast as the wind", () => {
    expect(windFelt({ knots: 0, from: 0 }, 70, 6)).toEqual({
      knots: expect.closeTo(6, 9),
      from: expect.closeTo(70, 9),
    });
    expect(windFelt({ knots: 6, from: 180 }, 0, 6).knots).toBeCloseTo(0, 9);
  });
});

describe("encounter", () => {
  it.each(oracle.waves)("of waves of $period s from $from", (wave) => {
    const met = encounterPeriod(wave.period, wave.from, wave.heading, wave.stw);
    if (Math.abs(wave.encounter) > 600) return expect(met).toBeNull();
    expect(met! / wave.encounter).toBeCloseTo(1, 9);
    expect(verticalAcceleration(wave.height, met) / wave.g).toBeCloseTo(1, 2);
  });

  // IMO MSC.1/Circ.1228: T_E = 3 T_W² / (3 T_W + V cos α), V in knots, α the angle off the bow; 3 is g / 2π in knots.
  it.each([
    [8, 0, 15],
    [10, 45, 12],
    [7, 120, 10],
    [9, 180, 14],
  ])("agrees with the circular's formula: %d s, %d° off the bow, %d kn", (period, alpha, knots) => {
    const circular = (3 * period ** 2) / (3 * period + knots * Math.cos((alpha * Math.PI) / 180));
    expect(encounterPeriod(period, alpha, 0, knots)! / circular).toBeCloseTo(1, 1);
  });

  it("is shorter in a head sea, negative where the boat overtakes the waves, and none where it keeps with them", () => {
    expect(encounterPeriod(6, 0, 0, 10)).toBeLessThan(6);
    expect(encounterPeriod(3, 180, 0, 20)).toBeLessThan(0);
    const keepsWith = ((9.80665 * 4) / (2 * Math.PI)) * (3600 / 1852);
    expect(encounterPeriod(4, 180, 0, keepsWith)).toBeNull();
    expect(encounterPeriod(0, 180, 0, 5)).toBeNull();
  });

  it("accelerates by hand: 2 m that are met every 6 s are 0.056 g, and those that are never met nothing", () => {
    expect(verticalAcceleration(2, 6)).toBeCloseTo(0.0559, 4);
    expect(verticalAcceleration(2, -6)).toBeCloseTo(0.0559, 4);
    expect(verticalAcceleration(5, null)).toBe(0);
  });

  it("hints at rolling near the natural period, and near half of it in a following sea as long as the ship", () => {
    const sea = { height: 3, period: 9, relative: 60, encounter: 9 };
    expect(rollHint(sea, { rollPeriod: 10 })).toBe("synchronous_roll");
    expect(rollHint({ ...sea, encounter: 12.1 }, { rollPeriod: 10 })).toBeUndefined();
    const following = { height: 3, period: 9, relative: 170, encounter: 10 };
    expect(rollHint(following, { rollPeriod: 20, length: 120 })).toBe("parametric_roll");
    expect(rollHint(following, { rollPeriod: 20 })).toBeUndefined();
    expect(rollHint(following, { rollPeriod: 20, length: 300 })).toBeUndefined();
    expect(rollHint({ ...following, relative: 20 }, { rollPeriod: 20, length: 120 })).toBeUndefined();
    expect(rollHint({ ...sea, height: 0.3 }, { rollPeriod: 10 })).toBeUndefined();
  });
});

it.each(oracle.suns)("puts the sun at time $time where Meeus does", ({ time, at, altitude }) => {
  const there = { latitude: at[0]!, longitude: at[1]! };
  expect(Math.abs(sunAltitude(time, there) - altitude)).toBeLessThan(0.03);
  expect(lightAt(-0.8)).toBe("day");
  expect(lightAt(-5)).toBe("twilight");
  expect(lightAt(-7)).toBe("night");
});
