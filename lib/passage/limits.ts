import type { PieceState } from "./piece-state.ts";
import type { Vessel, Weather } from "./vessel.ts";

const waves = "significant height of waves";

/**
 * Quantities that a user may limit, with the unit in the name, in display order. Each has a description for
 * documents and a typical limit for each kind of vessel. The typical limits are this project's own, belong to
 * no particular vessel, and are shown with every plan. Vertical motion becomes severe at 0.2 g.
 */
const table = {
  wind_kt: { about: "true wind, kt", sail: 25, motor: 22, fixed: 34 },
  gust_kt: { about: "gusts, kt", sail: 34, motor: 30, fixed: 45 },
  apparent_ahead_kt: { about: "apparent wind within 60° of the bow, kt", sail: 28, motor: 35, fixed: 45 },
  head_sea_m: { about: `${waves} within 60° of the bow, m`, sail: 2.5, motor: 1.5, fixed: 4 },
  beam_sea_m: { about: `${waves} from 60° to 120° off the bow, m`, sail: 2.5, motor: 1.5, fixed: 3.5 },
  following_sea_m: {
    about: `${waves} from more than 120° off the bow, m`,
    sail: 3.5,
    motor: 2.5,
    fixed: 4.5,
  },
  acceleration_g: {
    about: "RMS vertical acceleration of a craft that follows the surface, g",
    sail: 0.2,
    motor: 0.2,
    fixed: 0.2,
  },
  current_against_wind_kt: {
    about: "current against a wind of at least 11 kt, kt",
    sail: 1.5,
    motor: 1.5,
    fixed: 2.5,
  },
  rain_mm_h: { about: "rain, mm/h", sail: 10, motor: 10, fixed: 20 },
  cape_j_kg: { about: "CAPE, J/kg: thunderstorms", sail: 1500, motor: 1500, fixed: 2500 },
  storm_km: {
    about: "least distance from the danger area of a tropical storm, km",
    sail: 185,
    motor: 185,
    fixed: 185,
  },
};

export type LimitName = keyof typeof table;

/**
 * The greatest accepted value of each quantity (for `storm_km` the least); null for a quantity that is not
 * limited.
 */
export type Limits = Readonly<Record<LimitName, number | null>>;

export const limitNames = Object.keys(table) as LimitName[];

const column = <Name extends "about" | Vessel["kind"]>(name: Name) =>
  Object.fromEntries(limitNames.map((limit) => [limit, table[limit][name]])) as Record<
    LimitName,
    (typeof table)[LimitName][Name]
  >;

export const limitTitles = column("about");

export const defaultLimits: Readonly<Record<Vessel["kind"], Limits>> = {
  sail: column("sail"),
  motor: column("motor"),
  fixed: column("fixed"),
};

export interface Measured {
  limit: LimitName;
  value: number;
  /**
   * Value divided by limit; above 1 the limit is exceeded. For a distance it is limit divided by value, at
   * most 10.
   */
  ratio: number;
}

/** Angles off the bow, degrees: waves count as ahead below the first and as following above the second. */
const [AHEAD, ABAFT] = [60, 120];

const MAX_RATIO = 10;

/** The known quantities of a piece against their limits, except the distance of storms. */
export function measured(weather: Weather, state: PieceState, limits: Limits): Measured[] {
  const found: Measured[] = [];
  const add = (limit: LimitName, value: number | null | undefined) => {
    const most = limits[limit];
    if (value === null || value === undefined || most === null) return;
    found.push({ limit, value, ratio: ratioOf(value, most) });
  };
  add("wind_kt", state.windKnots);
  add("gust_kt", state.gustKnots);
  if (state.apparentAngle !== null && Math.abs(state.apparentAngle) <= AHEAD)
    add("apparent_ahead_kt", state.apparentKnots);
  // A vessel that tacks sails on both tacks, and waves from ahead on one may be abeam on the other.
  const seas = [state.waveAngle, state.otherWaveAngle].flatMap((angle) =>
    angle === null ? [] : seaLimitOf(angle),
  );
  for (const sea of new Set(seas.length > 0 ? seas : [lowestSeaLimit(limits)]))
    add(sea, weather.Waves_Significant_Height);
  add("acceleration_g", state.acceleration);
  add("current_against_wind_kt", state.againstWind);
  add("rain_mm_h", weather.Precipitation);
  add("cape_j_kg", weather.MUCAPE);
  return found;
}

/** The distance to the danger area of a storm against its limit. @param km 0 inside the area. */
export function measuredStorm(km: number, limits: Limits): Measured | undefined {
  const least = limits.storm_km;
  if (least === null) return undefined;
  return { limit: "storm_km", value: km, ratio: Math.min(MAX_RATIO, km > 0 ? least / km : MAX_RATIO) };
}

/** Any value above 0 exceeds a limit of 0. */
export function ratioOf(value: number, most: number): number {
  if (most > 0) return Math.min(MAX_RATIO, value / most);
  return value > 0 ? MAX_RATIO : 0;
}

/** The limit that applies to waves from an unknown direction, the lowest one. */
export function lowestSeaLimit(limits: Limits): LimitName {
  const most = (name: LimitName) => limits[name] ?? Number.POSITIVE_INFINITY;
  const names: LimitName[] = ["head_sea_m", "beam_sea_m", "following_sea_m"];
  return names.reduce((lowest, name) => (most(name) < most(lowest) ? name : lowest));
}

/** The limit that applies to waves. @param angle Where they come from, degrees off the bow. */
export function seaLimitOf(angle: number): "head_sea_m" | "beam_sea_m" | "following_sea_m" {
  const off = Math.abs(angle);
  if (off <= AHEAD) return "head_sea_m";
  return off < ABAFT ? "beam_sea_m" : "following_sea_m";
}

export const objectives = ["within_limits", "fastest"] as const;

/** Which limits an optimised route respects: all of them, or that of storms alone. */
export type Objective = (typeof objectives)[number];

export const origins = ["own", "wait", "shortest", "search"] as const;

export type Origin = (typeof origins)[number];

export const daylights = ["arrival", "both_ends"] as const;

/** Where the sun should be up: at the arrival, or at the departure too. */
export type Daylight = (typeof daylights)[number];
