import { describe, expect, it } from "vitest";
import { fromKnots } from "#lib/knots.ts";
import { defaultLimits, type Limits, measuredStorm } from "./limits.ts";
import type { Piece } from "./march.ts";
import { pieceState } from "./piece-state.ts";
import { typicalTable } from "./polar.ts";
import { decidingText, totalsOf } from "./to-wire.ts";
import { comfortOf, departuresOf, judge, judgePieces, sortedDepartures } from "./verdict.ts";
import { motionAlong, type Weather } from "./vessel.ts";

const limits = defaultLimits.sail;
const calm: Weather = {
  Winds_10m_Intensity: fromKnots(10),
  Winds_10m_Direction: 90,
  Gust_10m: fromKnots(12),
  Waves_Significant_Height: 0.5,
  Waves_Mean_Period: 6,
  Waves_Mean_Direction: 90,
  Currents_Intensity: 0,
  Currents_Direction: null,
  Precipitation: 0,
  MUCAPE: 0,
};

let time = 0;
function piece(weather: Weather, motion: Partial<Piece["motion"]> = {}): Piece {
  time += 1800;
  return {
    leg: 0,
    start: { latitude: 50, longitude: -5, time },
    at: { latitude: 50, longitude: -5.05, time: time + 900 },
    seconds: 1800,
    miles: 3,
    course: 0,
    motion: { mode: "sail", heading: 0, stw: 6, sog: 6, flags: [], ...motion },
    weather,
  };
}

const arrived = { ending: "arrived", end: { latitude: 51, longitude: -5, time: 9e9 } } as const;
const judged = (pieces: Piece[], of: Limits = limits) => judgePieces(pieces, of);
const verdictOf = (pieces: Piece[], of: Limits = limits) =>
  judge(arrived, judged(pieces, of), { storms: [] });

describe("a piece", () => {
  it("has wind, waves and current as they are met on board", () => {
    const state = pieceState(
      piece({
        ...calm,
        Currents_Intensity: fromKnots(2),
        Currents_Direction: 90,
        Winds_10m_Intensity: fromKnots(12),
      }),
    );
    expect(state).toMatchObject({ windAngle: 90, waveAngle: 90, noForecast: false, noSea: false });
    expect(state.apparentKnots).toBeCloseTo(Math.hypot(12, 6), 9);
    expect(state.apparentAngle).toBeCloseTo((Math.atan2(12, 6) * 180) / Math.PI, 6);
    expect(state.currentAlong).toBeCloseTo(0, 9);
    expect(state.currentAcross).toBeCloseTo(2, 9);
    // It sets towards where the wind comes from.
    expect(state.againstWind).toBeCloseTo(2, 9);
    expect(state.encounter).toBeCloseTo(6, 6);
  });

  it("has the apparent wind of the tack that is sailed, which is stronger and further ahead than that of the course", () => {
    const beating = { heading: 315, stw: 6, sog: 6 * Math.SQRT1_2, flags: ["tacking" as const] };
    const from = { ...calm, Winds_10m_Intensity: fromKnots(20), Winds_10m_Direction: 0 };
    const [ahead, aside] = [20 * Math.SQRT1_2 + 6, 20 * Math.SQRT1_2];
    const state = pieceState(piece(from, beating));
    expect(state.apparentKnots).toBeCloseTo(Math.hypot(ahead, aside), 9);
    expect(state.apparentAngle).toBeCloseTo((Math.atan2(aside, ahead) * 180) / Math.PI, 6);
    // A current of 2 kn along the heading carries the boat against the wind as well.
    const carried = pieceState(
      piece({ ...from, Currents_Intensity: fromKnots(2), Currents_Direction: 315 }, beating),
    );
    expect(carried.apparentKnots).toBeCloseTo(Math.hypot(ahead + 2, aside), 9);
  });

  it("of an unknown time or sea says so, with null for what it is not known", () => {
    expect(pieceState(piece({}))).toMatchObject({
      noForecast: true,
      noSea: false,
      windAngle: null,
      acceleration: null,
    });
    expect(pieceState(piece({ ...calm, Waves_Significant_Height: null }))).toMatchObject({
      noForecast: false,
      noSea: true,
      encounter: null,
    });
  });
});

describe("a verdict", () => {
  it("is GO far from all limits, and names the nearest", () => {
    const { verdict, deciding } = verdictOf([piece(calm), piece(calm)]);
    expect(verdict).toBe("GO");
    expect(deciding).toMatchObject({
      by: "apparent_ahead_kt",
      measured: { ratio: expect.closeTo(Math.hypot(10, 6) / 28, 9) },
    });
  });

  it("is CAUTION near a limit and NO beyond it, with the limit that decided and where", () => {
    const near = piece({ ...calm, Gust_10m: fromKnots(30) });
    expect(verdictOf([piece(calm), near])).toMatchObject({
      verdict: "CAUTION",
      deciding: { by: "gust_kt", piece: 1, at: near.at },
    });
    const beyond = piece({ ...calm, Gust_10m: fromKnots(40) });
    expect(verdictOf([near, beyond])).toMatchObject({
      verdict: "NO",
      deciding: { by: "gust_kt", piece: 1, measured: { value: expect.closeTo(40, 6) } },
    });
  });

  it("looks at waves by where they come from", () => {
    const sea = (from: number) => ({
      ...calm,
      Waves_Significant_Height: 3,
      Waves_Mean_Period: 12,
      Waves_Mean_Direction: from,
    });
    expect(verdictOf([piece(sea(10))])).toMatchObject({ verdict: "NO", deciding: { by: "head_sea_m" } });
    expect(verdictOf([piece(sea(180))])).toMatchObject({
      verdict: "CAUTION",
      deciding: { by: "following_sea_m" },
    });
  });

  it("holds waves from an unknown direction against the lowest of the limits of waves that are set", () => {
    const high = piece({ ...calm, Waves_Significant_Height: 3, Waves_Mean_Direction: null });
    expect(verdictOf([piece(calm), high], { ...limits, head_sea_m: null })).toMatchObject({
      verdict: "NO",
      deciding: { by: "beam_sea_m", piece: 1, measured: { value: 3, ratio: expect.closeTo(1.2, 9) } },
    });
    const unlimited = { ...limits, head_sea_m: null, beam_sea_m: null, following_sea_m: null };
    expect(verdictOf([piece(calm), high], unlimited).deciding).toMatchObject({
      by: "no_sea_data",
      share: 0.5,
    });
  });

  it("ignores a limit that is null", () => {
    const windy = piece({ ...calm, Gust_10m: fromKnots(60) });
    expect(verdictOf([windy], { ...limits, gust_kt: null }).verdict).toBe("GO");
  });

  it("is CAUTION where the forecast ends, and NO where the boat is held by a current", () => {
    expect(verdictOf([piece(calm), piece({})])).toMatchObject({
      verdict: "CAUTION",
      deciding: { by: "no_forecast", piece: 1 },
    });
    const held = piece(calm, { mode: "held", sog: 0, stw: 0, heading: null, flags: ["current_too_strong"] });
    expect(verdictOf([held])).toMatchObject({
      verdict: "NO",
      deciding: { by: "current_too_strong", piece: 0 },
    });
  });

  it("is no GO where the sea is unknown for more than a tenth of the time, and says the share", () => {
    const ashore = { ...calm, Waves_Significant_Height: null };
    const pieces = (unknown: number) =>
      Array.from({ length: 20 }, (_, index) => piece(index < unknown ? ashore : calm));
    expect(verdictOf(pieces(2)).verdict).toBe("GO");
    const { verdict, deciding } = verdictOf(pieces(3));
    expect([verdict, deciding?.by, deciding?.piece]).toEqual(["CAUTION", "no_sea_data", 0]);
    expect(decidingText(deciding!, limits)).toBe("Waves or currents are unknown for 15 % of the time");
  });

  it("is NO where a motor vessel cannot make way against the sea, and says so", () => {
    const table = {
      ...typicalTable(8),
      heights_m: [0, 2],
      head_kt: [8, 0],
      bow_kt: [8, 0],
      quarter_kt: [8, 4],
      following_kt: [8, 4],
    };
    const rough = { ...calm, Waves_Significant_Height: 2.2, Waves_Mean_Direction: 0 };
    const motion = motionAlong({ kind: "motor", knots: 8, table }, 0, rough);
    expect(motion).toMatchObject({ mode: "held", sog: 0, flags: ["no_headway"] });
    const { verdict, deciding } = verdictOf([piece(calm), piece(rough, motion)]);
    expect([verdict, deciding?.by, deciding?.piece]).toEqual(["NO", "no_headway", 1]);
    expect(decidingText(deciding!, limits)).toContain("cannot make way in this sea");
    // What it runs into is not judged as calm either.
    expect(motionAlong({ kind: "motor", knots: 8, table }, 180, rough).sog).toBeGreaterThan(0);
  });

  it("judges waves on the worse of both tacks", () => {
    // Wind from the north, waves from the north-west: ahead on starboard tack, abeam on port tack.
    const beating = { heading: 315, stw: 6, sog: 6 * Math.SQRT1_2, flags: ["tacking" as const] };
    const mixed = {
      ...calm,
      Winds_10m_Direction: 0,
      Waves_Significant_Height: 1.5,
      Waves_Mean_Direction: 315,
      Waves_Mean_Period: 8,
    };
    const steady = { ...limits, head_sea_m: 2, beam_sea_m: 1, acceleration_g: null };
    const judgedOn = (heading: number) => verdictOf([piece(mixed, { ...beating, heading })], steady);
    for (const heading of [315, 45])
      expect(judgedOn(heading)).toMatchObject({
        verdict: "NO",
        deciding: { by: "beam_sea_m", measured: { value: 1.5, ratio: 1.5 } },
      });
    const [ahead, abeam] = [315, 45].map((heading) => pieceState(piece(mixed, { ...beating, heading })));
    expect([ahead!.waveAngle, ahead!.otherWaveAngle]).toEqual([0, -90]);
    expect([abeam!.waveAngle, abeam!.otherWaveAngle]).toEqual([-90, 0]);
    expect(ahead!.acceleration).toBe(abeam!.acceleration);
    expect(ahead!.acceleration).toBeGreaterThan(
      pieceState(piece(mixed, { ...beating, heading: 45, flags: [] })).acceleration!,
    );
    // A course that is sailed straight has one.
    expect(verdictOf([piece(mixed, { ...beating, flags: [] })], steady).verdict).toBe("GO");
  });

  it("is CAUTION where the boat is becalmed for a while", () => {
    const becalmed = piece(calm, { mode: "held", sog: 0, stw: 0, heading: null, flags: ["becalmed"] });
    expect(verdictOf([becalmed, piece(calm)])).toMatchObject({
      verdict: "CAUTION",
      deciding: { by: "becalmed" },
    });
  });

  it("counts the danger area of a storm, and one without a forecast", () => {
    const at = { latitude: 20, longitude: -60, time: 7 };
    const near = (km: number) => [{ measured: measuredStorm(km, limits), at }];
    expect(judge(arrived, judged([piece(calm)]), { storms: near(0) })).toMatchObject({
      verdict: "NO",
      deciding: { by: "storm_km", at, measured: { value: 0, ratio: 10 } },
    });
    expect(judge(arrived, judged([piece(calm)]), { storms: near(200) }).verdict).toBe("CAUTION");
    expect(judge(arrived, judged([piece(calm)]), { storms: near(2000) }).verdict).toBe("GO");
    expect(judge(arrived, judged([piece(calm)]), { storms: [], stormsWithoutForecast: 1 })).toMatchObject({
      verdict: "CAUTION",
      deciding: { by: "storm_without_forecast" },
    });
  });
});

it("is as hard on land that short legs share as on one leg over it", () => {
  const land = (...miles: number[]) =>
    miles.map((each, leg) => ({ leg, at: { latitude: 50, longitude: -5 }, gone: 0, miles: each }));
  const verdict = (...miles: number[]) =>
    judge(arrived, judged([piece(calm)]), { storms: [], land: land(...miles) }).verdict;
  expect([verdict(), verdict(0), verdict(1.9), verdict(0.9, 0.9)]).toEqual([
    "GO",
    "CAUTION",
    "CAUTION",
    "CAUTION",
  ]);
  expect([verdict(2.1), verdict(0.8, 0.9, 0.7), verdict(...Array(80).fill(0.1))]).toEqual(["NO", "NO", "NO"]);
});

it("sums up: means over the time, the worst, and the hours over each limit", () => {
  const rough = piece(
    { ...calm, Winds_10m_Intensity: fromKnots(30), Waves_Significant_Height: 3 },
    { mode: "motor" },
  );
  const totals = totalsOf(judged([piece(calm), rough, piece({})]), limits);
  expect(totals).toMatchObject({
    distance_nm: 9,
    duration_s: 5400,
    motor_s: 1800,
    no_forecast_s: 1800,
    max_height_m: 3,
  });
  expect(totals.mean_wind_kt).toBeCloseTo(20, 9);
  expect(totals.max_wind_kt).toBeCloseTo(30, 9);
  expect(totals.over_limits_s).toMatchObject({ wind_kt: 1800, gust_kt: 0, beam_sea_m: 1800 });
  expect(totalsOf([], limits)).toMatchObject({ speed_kt: null, mean_wind_kt: null, duration_s: 0 });
});

it("calls a storm and a high sea dangerous, however little their long waves accelerate", () => {
  const comfort = (weather: Weather) => comfortOf(judged([piece(weather)])[0]!);
  const sea = (height: number, period: number) =>
    comfort({ ...calm, Waves_Significant_Height: height, Waves_Mean_Period: period });
  expect([sea(0.5, 6), sea(3, 5), sea(4, 4)]).toEqual(["comfortable", "uncomfortable", "severe"]);
  expect([sea(5.9, 25), sea(10, 25)]).toEqual(["comfortable", "dangerous"]);
  expect(comfort({ Winds_10m_Intensity: fromKnots(50) })).toBe("dangerous");
  expect(comfort({})).toBeNull();
  const totals = totalsOf(judged([piece(calm), piece({ ...calm, Waves_Significant_Height: 10 })]), limits);
  expect(totals.comfort).toBe("dangerous");
  expect(totalsOf([], limits).comfort).toBeNull();
});

describe("a sweep", () => {
  it("has both of its ends, as the step allows", () => {
    expect(departuresOf(0, 7200, 1)).toEqual([0, 3600, 7200]);
    expect(departuresOf(0, 7199, 1)).toEqual([0, 3600]);
    expect(departuresOf(5, 5, 12)).toEqual([5]);
  });

  it("sorts, those that the forecast does not reach last but there", () => {
    const of = (
      verdict: "GO" | "CAUTION" | "NO",
      seconds: number,
      meanRatio: number | null,
      isWhole = true,
    ) => ({
      verdict,
      seconds,
      meanRatio,
      isWhole,
    });
    const sorted = sortedDepartures([
      of("NO", 100, 1.2),
      of("GO", 150, 0.3),
      of("GO", 120, 0.5),
      of("CAUTION", 90, null, false),
    ]);
    expect(sorted).toEqual({ fastest: [0, 2, 1, 3], smoothest: [1, 2, 0, 3], balanced: [2, 1, 0, 3] });
    expect(sortedDepartures([])).toEqual({ fastest: [], smoothest: [], balanced: [] });
  });
});
