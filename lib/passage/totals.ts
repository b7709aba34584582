import { toKnots } from "#lib/knots.ts";
import { SEVERE_G, UNCOMFORTABLE_G } from "./encounter.ts";
import { type LimitName, type Limits, limitNames } from "./limits.ts";
import type { JudgedPiece } from "./verdict.ts";

export const comforts = ["comfortable", "uncomfortable", "severe", "dangerous"] as const;

export type Comfort = (typeof comforts)[number];

/** A storm, Beaufort 10, kt, and a high sea, sea state 7 of WMO code table 3700, m: whatever the acceleration. */
const [STORM_KT, HIGH_SEA_M] = [48, 6];

/** Comfort of a piece; null where nothing is known. */
export function comfortOf({ piece, state }: Pick<JudgedPiece, "piece" | "state">): Comfort | null {
  const wind = knots(piece.weather.Winds_10m_Intensity);
  const { Waves_Significant_Height: height } = piece.weather;
  if ((wind ?? 0) >= STORM_KT || (height ?? 0) >= HIGH_SEA_M) return "dangerous";
  if (state.acceleration === null) return null;
  if (state.acceleration >= SEVERE_G) return "severe";
  return state.acceleration >= UNCOMFORTABLE_G ? "uncomfortable" : "comfortable";
}

/** A passage in numbers. null where nothing is known of it. */
export interface Totals {
  miles: number;
  seconds: number;
  /** Mean speed over ground, kt. */
  knots: number | null;
  meanWind: number | null;
  maxWind: number | null;
  maxGust: number | null;
  maxHeight: number | null;
  /** At the middles of pieces, m below mean sea level. */
  minDepth: number | null;
  /** RMS vertical acceleration, g: mean over the time, and worst. */
  meanAcceleration: number | null;
  maxAcceleration: number | null;
  /** Of the worst piece. */
  comfort: Comfort | null;
  /** Seconds. */
  motor: number;
  held: number;
  noForecast: number;
  noSea: number;
  /** Seconds beyond each limit that is set, but that of storms. */
  over: Partial<Record<LimitName, number>>;
  /** The worst ratio of each piece, mean over the time: how near the limits the passage is all in all. */
  meanRatio: number | null;
}

/** Sums up a passage; means are over the time. */
export function totalsOf(pieces: readonly JudgedPiece[], limits: Limits): Totals {
  const seconds = sum(pieces, ({ piece }) => piece.seconds);
  const miles = sum(pieces, ({ piece }) => piece.miles);
  const wind = (one: JudgedPiece) => knots(one.piece.weather.Winds_10m_Intensity);
  const over: Totals["over"] = {};
  for (const name of limitNames)
    if (limits[name] !== null && name !== "storm_km")
      over[name] = sum(pieces, ({ piece, measured }) =>
        measured.some(({ limit, ratio }) => limit === name && ratio > 1) ? piece.seconds : 0,
      );
  const during = (test: (one: JudgedPiece) => boolean) =>
    sum(pieces, (one) => (test(one) ? one.piece.seconds : 0));
  return {
    miles,
    seconds,
    knots: seconds > 0 ? (miles / seconds) * 3600 : null,
    meanWind: mean(pieces, wind),
    maxWind: most(pieces, wind),
    maxGust: most(pieces, ({ piece }) => knots(piece.weather.Gust_10m)),
    maxHeight: most(pieces, ({ piece }) => piece.weather.Waves_Significant_Height ?? null),
    minDepth: least(pieces, ({ piece }) => piece.weather.Bathymetry ?? null),
    meanAcceleration: mean(pieces, ({ state }) => state.acceleration),
    maxAcceleration: most(pieces, ({ state }) => state.acceleration),
    comfort: comforts.findLast((comfort) => pieces.some((one) => comfortOf(one) === comfort)) ?? null,
    motor: during(({ piece }) => piece.motion.mode === "motor"),
    held: during(({ piece }) => piece.motion.mode === "held"),
    noForecast: during(({ state }) => state.noForecast),
    noSea: during(({ state }) => state.noSea),
    over,
    meanRatio: mean(pieces, ({ measured }) => measured[0]?.ratio ?? null),
  };
}

function knots(speed: number | null | undefined): number | null {
  return speed === null || speed === undefined ? null : toKnots(speed);
}

function sum(pieces: readonly JudgedPiece[], of: (one: JudgedPiece) => number): number {
  return pieces.reduce((total, one) => total + of(one), 0);
}

/** Mean over the time of the pieces of which it is known. */
function mean(pieces: readonly JudgedPiece[], of: (one: JudgedPiece) => number | null): number | null {
  let [total, time] = [0, 0];
  for (const one of pieces) {
    const value = of(one);
    if (value === null) continue;
    total += value * one.piece.seconds;
    time += one.piece.seconds;
  }
  return time > 0 ? total / time : null;
}

function most(pieces: readonly JudgedPiece[], of: (one: JudgedPiece) => number | null): number | null {
  let found: number | null = null;
  for (const one of pieces) {
    const value = of(one);
    if (value !== null && (found === null || value > found)) found = value;
  }
  return found;
}

function least(pieces: readonly JudgedPiece[], of: (one: JudgedPiece) => number | null): number | null {
  const highest = most(pieces, (one) => {
    const value = of(one);
    return value === null ? null : -value;
  });
  return highest === null ? null : -highest;
}
