import { toKnots } from "#lib/knots.ts";
import type { PieceState } from "./piece-state.ts";
import type { Vessel, Weather } from "./vessel.ts";

/** What a user may limit, with the unit in the name; in the order in which they are named. */
export const limitNames = [
  "wind_kt",
  "gust_kt",
  "apparent_ahead_kt",
  "head_sea_m",
  "beam_sea_m",
  "following_sea_m",
  "acceleration_g",
  "current_against_wind_kt",
  "rain_mm_h",
  "cape_j_kg",
  "storm_km",
] as const;

export type LimitName = (typeof limitNames)[number];

/** The greatest accepted value of each (of `storm_km` the least); null for one that is not looked at. */
export type Limits = Readonly<Record<LimitName, number | null>>;

/** What each limit is about, for documents. */
export const limitTitles: Readonly<Record<LimitName, string>> = {
  wind_kt: "true wind, kt",
  gust_kt: "gusts, kt",
  apparent_ahead_kt: "apparent wind within 60° of the bow, kt",
  head_sea_m: "significant height of waves within 60° of the bow, m",
  beam_sea_m: "significant height of waves from 60° to 120° off the bow, m",
  following_sea_m: "significant height of waves from more than 120° off the bow, m",
  acceleration_g: "RMS vertical acceleration of a craft that follows the surface, g",
  current_against_wind_kt: "current against a wind of at least 11 kt, kt",
  rain_mm_h: "rain, mm/h",
  cape_j_kg: "CAPE, J/kg: thunderstorms",
  storm_km: "least distance from the danger area of a tropical storm, km",
};

/**
 * Limits that are typical for a kind of vessel: ours, of no vessel in particular, and shown with every plan. 0.2 g is where
 * vertical motion becomes severe.
 */
export const defaultLimits: Readonly<Record<Vessel["kind"], Limits>> = {
  sail: {
    wind_kt: 25,
    gust_kt: 34,
    apparent_ahead_kt: 28,
    head_sea_m: 2.5,
    beam_sea_m: 2.5,
    following_sea_m: 3.5,
    acceleration_g: 0.2,
    current_against_wind_kt: 1.5,
    rain_mm_h: 10,
    cape_j_kg: 1500,
    storm_km: 185,
  },
  motor: {
    wind_kt: 22,
    gust_kt: 30,
    apparent_ahead_kt: 35,
    head_sea_m: 1.5,
    beam_sea_m: 1.5,
    following_sea_m: 2.5,
    acceleration_g: 0.2,
    current_against_wind_kt: 1.5,
    rain_mm_h: 10,
    cape_j_kg: 1500,
    storm_km: 185,
  },
  fixed: {
    wind_kt: 34,
    gust_kt: 45,
    apparent_ahead_kt: 45,
    head_sea_m: 4,
    beam_sea_m: 3.5,
    following_sea_m: 4.5,
    acceleration_g: 0.2,
    current_against_wind_kt: 2.5,
    rain_mm_h: 20,
    cape_j_kg: 2500,
    storm_km: 185,
  },
};

/** A quantity against its limit. */
export interface Measured {
  limit: LimitName;
  value: number;
  /** Value over limit; above 1 it is exceeded. Of a distance limit over value, at most 10. */
  ratio: number;
}

/** Angles off the bow, degrees: ahead of the first, abaft the second. */
const [AHEAD, ABAFT] = [60, 120];

const MAX_RATIO = 10;

/** All that is known of a piece against the limits that are set, but the distance of storms. */
export function measured(weather: Weather, state: PieceState, limits: Limits): Measured[] {
  const found: Measured[] = [];
  const add = (limit: LimitName, value: number | null | undefined) => {
    const most = limits[limit];
    if (value === null || value === undefined || most === null) return;
    found.push({ limit, value, ratio: ratioOf(value, most) });
  };
  const knots = (speed: number | null | undefined) =>
    speed === null || speed === undefined ? null : toKnots(speed);
  add("wind_kt", knots(weather.Winds_10m_Intensity));
  add("gust_kt", knots(weather.Gust_10m));
  if (state.apparentAngle !== null && Math.abs(state.apparentAngle) <= AHEAD)
    add("apparent_ahead_kt", state.apparentKnots);
  // Between tacks both are sailed: waves from ahead on one may be abeam on the other.
  const seas = [state.waveAngle, state.otherWaveAngle].flatMap((angle) =>
    angle === null ? [] : seaLimit(angle),
  );
  for (const sea of new Set(seas.length > 0 ? seas : [lowestSeaLimit(limits)]))
    add(sea, weather.Waves_Significant_Height);
  add("acceleration_g", state.acceleration);
  add("current_against_wind_kt", state.againstWind);
  add("rain_mm_h", weather.Precipitation);
  add("cape_j_kg", weather.MUCAPE);
  return found;
}

/** The distance from the danger area of a storm against its limit. @param km 0 within it. */
export function measuredStorm(km: number, limits: Limits): Measured | undefined {
  const least = limits.storm_km;
  if (least === null) return undefined;
  return { limit: "storm_km", value: km, ratio: Math.min(MAX_RATIO, km > 0 ? least / km : MAX_RATIO) };
}

/** A limit of 0 is exceeded by anything. */
function ratioOf(value: number, most: number): number {
  if (most > 0) return Math.min(MAX_RATIO, value / most);
  return value > 0 ? MAX_RATIO : 0;
}

/** What waves from an unknown direction are held against. */
function lowestSeaLimit(limits: Limits): LimitName {
  const most = (name: LimitName) => limits[name] ?? Number.POSITIVE_INFINITY;
  const names: LimitName[] = ["head_sea_m", "beam_sea_m", "following_sea_m"];
  return names.reduce((lowest, name) => (most(name) < most(lowest) ? name : lowest));
}

function seaLimit(angle: number): LimitName {
  const off = Math.abs(angle);
  if (off <= AHEAD) return "head_sea_m";
  return off < ABAFT ? "beam_sea_m" : "following_sea_m";
}

export const objectives = ["within_limits", "fastest"] as const;

/** Which limits count: all of them, or that of storms alone. */
export type Objective = (typeof objectives)[number];

/** Where a better route comes from. */
export const origins = ["own", "shortest", "search"] as const;

export type Origin = (typeof origins)[number];
