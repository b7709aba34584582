import { fromKnots } from "@open-metocean/geo/knots";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits, measuredStorm } from "./limits.ts";
import type { Piece } from "./march.ts";
import { pieceState } from "./piece-state.ts";
import { decidingText, totalsOf } from "./to-wire.ts";
import { comfortOf, departuresOf, judge, judgePieces, piecesNearCoast, sortedDepartures } from "./verdict.ts";
import { type Motion, motionAlong, type Weather } from "./vessel.ts";

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

/** A piece in calm weather, with changes. */
function piece(
  changes: Weather = {},
  motion: Partial<Piece["motion"]> = {},
  weather = { ...calm, ...changes },
): Piece {
  return {
    leg: 0,
    start: { latitude: 50, longitude: -5, time: 0 },
    at: { latitude: 50, longitude: -5.05, time: 900 },
    seconds: 1800,
    miles: 3,
    course: 0,
    motion: { mode: "sail", heading: 0, stw: 6, sog: 6, flags: [], ...motion },
    weather,
  };
}

const unknown = piece({}, {}, {} as never);
const held = (flag: Motion["flags"][number]): Partial<Motion> => ({
  mode: "held",
  sog: 0,
  stw: 0,
  heading: null,
  flags: [flag],
});
const tacking = { heading: 315, stw: 6, sog: 6 * Math.SQRT1_2, flags: ["tacking" as const] };

const arrived = { ending: "arrived", end: { latitude: 51, longitude: -5, time: 9e9 } } as const;
const verdictOf = (pieces: Piece[], of: Limits = limits, around: Partial<Parameters<typeof judge>[2]> = {}) =>
  judge(arrived, judgePieces(pieces, of), { storms: [], ...around });

describe("a piece", () => {
  it("has wind, waves and current as they are met on board", () => {
    const current = { Currents_Intensity: fromKnots(2), Currents_Direction: 90 };
    const state = pieceState(piece({ ...current, Winds_10m_Intensity: fromKnots(12) }));
    expect(state).toMatchObject({
      windAngle: 90,
      waveAngle: 90,
      noForecast: false,
      noSea: false,
      apparentKnots: expect.closeTo(Math.hypot(12, 6), 9),
      apparentAngle: expect.closeTo((Math.atan2(12, 6) * 180) / Math.PI, 6),
      currentAlong: expect.closeTo(0, 9),
      currentAcross: expect.closeTo(2, 9),
      // The current sets towards the direction that the wind comes from.
      againstWind: expect.closeTo(2, 9),
      encounter: expect.closeTo(6, 6),
    });
  });

  it("has the apparent wind of the tack that is sailed, which is stronger and further ahead than that of the course", () => {
    const from = { Winds_10m_Intensity: fromKnots(20), Winds_10m_Direction: 0 };
    const [ahead, aside] = [20 * Math.SQRT1_2 + 6, 20 * Math.SQRT1_2];
    const state = pieceState(piece(from, tacking));
    expect(state.apparentKnots).toBeCloseTo(Math.hypot(ahead, aside), 9);
    expect(state.apparentAngle).toBeCloseTo((Math.atan2(aside, ahead) * 180) / Math.PI, 6);
    // A current of 2 kn along the heading also carries the boat against the wind.
    const current = { Currents_Intensity: fromKnots(2), Currents_Direction: 315 };
    const carried = pieceState(piece({ ...from, ...current }, tacking));
    expect(carried.apparentKnots).toBeCloseTo(Math.hypot(ahead + 2, aside), 9);
  });

  it("of an unknown time or sea says so, with null for what it is not known", () => {
    const none = { noForecast: true, noSea: false, windAngle: null, acceleration: null };
    expect(pieceState(unknown)).toMatchObject(none);
    const ashore = pieceState(piece({ Waves_Significant_Height: null }));
    expect(ashore).toMatchObject({ noForecast: false, noSea: true, encounter: null });
  });
});

describe("a verdict", () => {
  const waves = (height: number, from: number | null): Weather => ({
    Waves_Significant_Height: height,
    Waves_Mean_Period: 12,
    Waves_Mean_Direction: from,
  });
  const gust = (knots: number) => piece({ Gust_10m: fromKnots(knots) });
  const at = { latitude: 20, longitude: -60, time: 7 };
  const near = (km: number) => ({ storms: [{ measured: measuredStorm(km, limits), at }] });
  const noSea = { ...limits, head_sea_m: null, beam_sea_m: null, following_sea_m: null };
  const fromUnknown = [piece(), piece(waves(3, null))];
  const beam = { by: "beam_sea_m", piece: 1, measured: { value: 3, ratio: expect.closeTo(1.2, 9) } };
  const gusts = { by: "gust_kt", piece: 1, measured: { value: expect.closeTo(40, 6) } };
  const ahead = { by: "apparent_ahead_kt", measured: { ratio: expect.closeTo(Math.hypot(10, 6) / 28, 9) } };
  const stopped = piece({}, held("current_too_strong"));
  const inside = { by: "storm_km", at, measured: { value: 0, ratio: 10 } };
  const noStorm = { stormsWithoutForecast: 1 };

  it.each<[string, string, object, Piece[], Limits?, Parameters<typeof verdictOf>[2]?]>([
    ["far from all limits", "GO", ahead, [piece(), piece()]],
    ["near a limit", "CAUTION", { by: "gust_kt", piece: 1, at: piece().at }, [piece(), gust(30)]],
    ["beyond a limit", "NO", gusts, [gust(30), gust(40)]],
    ["beyond a limit that is null", "GO", {}, [gust(60)], { ...limits, gust_kt: null }],
    ["in a head sea", "NO", { by: "head_sea_m" }, [piece(waves(3, 10))]],
    ["in a following sea", "CAUTION", { by: "following_sea_m" }, [piece(waves(3, 180))]],
    ["in a sea from anywhere, by the lowest limit", "NO", beam, fromUnknown, { ...limits, head_sea_m: null }],
    ["in a sea from anywhere", "CAUTION", { by: "no_sea_data", share: 0.5 }, fromUnknown, noSea],
    ["where the forecast ends", "CAUTION", { by: "no_forecast", piece: 1 }, [piece(), unknown]],
    ["held by a current", "NO", { by: "current_too_strong", piece: 0 }, [stopped]],
    ["becalmed for a while", "CAUTION", { by: "becalmed" }, [piece({}, held("becalmed")), piece()]],
    ["inside the danger area of a storm", "NO", inside, [piece()], limits, near(0)],
    ["near a storm", "CAUTION", { by: "storm_km" }, [piece()], limits, near(200)],
    ["far from a storm", "GO", {}, [piece()], limits, near(2000)],
    ["near one without a forecast", "CAUTION", { by: "storm_without_forecast" }, [piece()], limits, noStorm],
  ])("%s is %s by %o", (_, expected, by, pieces, of, around) => {
    const { verdict, deciding } = verdictOf(pieces, of, around);
    expect(verdict).toBe(expected);
    expect(deciding).toMatchObject(by);
  });

  it("is no GO where the sea is unknown for more than a tenth of the time, and says the share", () => {
    const pieces = (unknown: number) =>
      Array.from({ length: 20 }, (_, index) =>
        piece(index < unknown ? { Waves_Significant_Height: null } : {}),
      );
    expect(verdictOf(pieces(2)).verdict).toBe("GO");
    const { verdict, deciding } = verdictOf(pieces(3));
    expect([verdict, deciding?.by, deciding?.piece]).toEqual(["CAUTION", "no_sea_data", 0]);
    expect(decidingText(deciding!, limits)).toBe("Waves or currents are unknown for 15 % of the time");
  });

  it("is NO where a motor vessel cannot make way against the sea, and says so", () => {
    const table = {
      heights_m: [0, 2],
      head_kt: [8, 0],
      bow_kt: [8, 0],
      quarter_kt: [8, 4],
      following_kt: [8, 4],
    };
    const rough = { ...calm, Waves_Significant_Height: 2.2, Waves_Mean_Direction: 0 };
    const motion = motionAlong({ kind: "motor", knots: 8, table }, 0, rough);
    expect(motion).toMatchObject({ mode: "held", sog: 0, flags: ["no_headway"] });
    const { verdict, deciding } = verdictOf([piece(), piece(rough, motion)]);
    expect([verdict, deciding?.by, deciding?.piece]).toEqual(["NO", "no_headway", 1]);
    expect(decidingText(deciding!, limits)).toContain("cannot make way in this sea");
    expect(motionAlong({ kind: "motor", knots: 8, table }, 180, rough).sog).toBeGreaterThan(0);
  });

  it("judges waves on the worse of both tacks", () => {
    // Wind from the north and waves from the north-west: the waves are ahead on starboard tack and abeam on
    // port tack.
    const mixed = { ...waves(1.5, 315), Winds_10m_Direction: 0, Waves_Mean_Period: 8 };
    const steady = { ...limits, head_sea_m: 2, beam_sea_m: 1, acceleration_g: null };
    const on = (heading: number, flags: Motion["flags"] = ["tacking"]) =>
      piece(mixed, { ...tacking, heading, flags });
    for (const heading of [315, 45])
      expect(verdictOf([on(heading)], steady).deciding).toMatchObject({
        by: "beam_sea_m",
        measured: { value: 1.5, ratio: 1.5 },
      });
    const [ahead, abeam, straight] = [on(315), on(45), on(45, [])].map((one) => pieceState(one));
    expect([ahead!.waveAngle, ahead!.otherWaveAngle]).toEqual([0, -90]);
    expect([abeam!.waveAngle, abeam!.otherWaveAngle]).toEqual([-90, 0]);
    expect(ahead!.acceleration).toBe(abeam!.acceleration);
    expect(ahead!.acceleration).toBeGreaterThan(straight!.acceleration!);
    expect(verdictOf([on(315, [])], steady).verdict).toBe("GO");
  });

  describe("near the coast", () => {
    const at = { latitude: 49.95, longitude: -5.18 };
    const close = (miles: number, gone = 4) => [{ leg: 0, at, miles, gone, begin: gone - 1, end: gone + 1 }];
    const pieces = [piece(), { ...piece(), start: { ...piece().start, time: 1800 } }, piece()];

    it("is CAUTION with how near, where and when, whatever else there is to be careful of", () => {
      const { verdict, deciding } = verdictOf([...pieces, unknown], limits, {
        close: [...close(0.9, 7), ...close(0.38)],
        stormsWithoutForecast: 1,
      });
      expect(verdict).toBe("CAUTION");
      expect(deciding).toMatchObject({ by: "near_coast", piece: 1, close: { miles: 0.38 } });
      // The place is a third of the way along the second piece.
      expect(deciding!.at).toEqual({ ...at, time: 1800 + 600 });
      expect(decidingText(deciding!, limits)).toBe(
        "Leg 1 passes 0.3 n mi off the coast, where the water leaves 1 n mi or more",
      );
    });

    it("is no reason to go beyond a limit or over land", () => {
      expect(verdictOf([gust(40)], limits, { close: close(0.2) }).deciding).toMatchObject({ by: "gust_kt" });
      const land = [{ leg: 0, at, gone: 0, miles: 3 }];
      expect(verdictOf([piece()], limits, { land, close: close(0.2) }).verdict).toBe("NO");
    });

    it("marks the pieces that lie on it, at least in part", () => {
      expect([...piecesNearCoast(judgePieces(pieces, limits), close(0.2))]).toEqual([1]);
      expect([...piecesNearCoast(judgePieces(pieces, limits), close(0.2, 6))]).toEqual([1, 2]);
      expect([...piecesNearCoast(judgePieces(pieces, limits), [])]).toEqual([]);
    });
  });

  it.each([
    ["GO", []],
    ["CAUTION", [0]],
    ["CAUTION", [1.9]],
    ["CAUTION", [0.9, 0.9]],
    ["NO", [2.1]],
    ["NO", [0.8, 0.9, 0.7]],
    ["NO", Array(80).fill(0.1)],
  ])(
    "is %s where legs cross %j n mi of land: short legs are judged together",
    (expected, miles: number[]) => {
      const land = miles.map((each, leg) => ({
        leg,
        at: { latitude: 50, longitude: -5 },
        gone: 0,
        miles: each,
      }));
      expect(verdictOf([piece()], limits, { land }).verdict).toBe(expected);
    },
  );
});

it("sums up: means over the time, the worst, and the hours over each limit", () => {
  const rough = piece({ Winds_10m_Intensity: fromKnots(30), Waves_Significant_Height: 3 }, { mode: "motor" });
  expect(totalsOf(judgePieces([piece(), rough, unknown], limits), limits)).toMatchObject({
    distance_nm: 9,
    duration_s: 5400,
    motor_s: 1800,
    no_forecast_s: 1800,
    max_height_m: 3,
    mean_wind_kt: expect.closeTo(20, 9),
    max_wind_kt: expect.closeTo(30, 9),
    over_limits_s: expect.objectContaining({ wind_kt: 1800, gust_kt: 0, beam_sea_m: 1800 }),
  });
  const none = { speed_kt: null, mean_wind_kt: null, duration_s: 0, comfort: null };
  expect(totalsOf([], limits)).toMatchObject(none);
});

it("calls a storm and a high sea dangerous, however little their long waves accelerate", () => {
  const comfort = (one: Piece) => comfortOf(judgePieces([one], limits)[0]!);
  const sea = (height: number, period: number) =>
    piece({ Waves_Significant_Height: height, Waves_Mean_Period: period });
  const levels = [
    sea(0.5, 6),
    sea(3, 5),
    sea(4, 4),
    sea(5.9, 25),
    sea(10, 25),
    piece({ Winds_10m_Intensity: fromKnots(50) }),
    unknown,
  ];
  const expected = ["comfortable", "uncomfortable", "severe", "comfortable", "dangerous", "dangerous", null];
  expect(levels.map(comfort)).toEqual(expected);
  expect(totalsOf(judgePieces([piece(), sea(10, 25)], limits), limits).comfort).toBe("dangerous");
});

describe("a sweep", () => {
  it("has both of its ends, as the step allows", () => {
    expect(departuresOf(0, 7200, 1)).toEqual([0, 3600, 7200]);
    expect(departuresOf(0, 7199, 1)).toEqual([0, 3600]);
    expect(departuresOf(5, 5, 12)).toEqual([5]);
  });

  it("sorts, those that the forecast does not reach last but there", () => {
    const sorted = sortedDepartures([
      { verdict: "NO", seconds: 100, meanRatio: 1.2, isWhole: true },
      { verdict: "GO", seconds: 150, meanRatio: 0.3, isWhole: true },
      { verdict: "GO", seconds: 120, meanRatio: 0.5, isWhole: true },
      { verdict: "CAUTION", seconds: 90, meanRatio: null, isWhole: false },
    ]);
    expect(sorted).toEqual({
      fastest: [0, 2, 1, 3],
      smoothest: [1, 2, 0, 3],
      balanced: [2, 1, 0, 3],
      latest: [2, 1, 0, 3],
    });
  });
});
