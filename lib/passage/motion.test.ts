import fc from "fast-check";
import { describe, expect, it } from "vitest";
import oracle from "./fixtures/passage.oracle.json" with { type: "json" };
import { encounterPeriod, lightAt, rollHint, sunAltitude, verticalAcceleration } from "./piece-state.ts";
import { currentParts, relativeTo, steerThrough, windFelt } from "./vessel.ts";

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
