import type { FieldName } from "./fields.ts";
import { type VariableName, variableNames } from "./variables.ts";

/** Level of a field: surface type (WMO code table 4.5) and the value of the level (metres for type 103). */
export interface Grib2Surface {
  type: number;
  value: number;
  /** Type of the second surface, for a layer between two surfaces. */
  to?: number;
  /**
   * Originating centre (common code table C-11) whose local table defines the type. Other messages name no
   * centre.
   */
  centre?: number;
}

/** A field of a GRIB2 file: its WMO parameter (code table 4.2) and how it is derived from stored fields. */
export interface Grib2Row {
  discipline: number;
  category: number;
  number: number;
  /** `atHeight` means the height of the request, metres above ground (type 103). */
  surface: Grib2Surface | "atHeight";
  /** Unit of the parameter in the WMO tables. */
  unit: string;
  /** Number of decimals, in `unit`, that are written. */
  decimals: number;
  /**
   * Difference between the largest and the smallest value of a typical field, in `unit`; used for size
   * estimates.
   */
  span: number;
  /**
   * `value` means stored · factor + offset. `bearing` means the angle, in degrees, of a unit vector (x =
   * sine, y = cosine).
   */
  from:
    | { is: "value"; of: FieldName; factor: number; offset: number }
    | { is: "bearing"; of: readonly [FieldName, FieldName]; magnitude: FieldName };
}

const meanSea = { type: 101, value: 0 };
/** Ground or water surface. */
const surface = { type: 1, value: 0 };
const above2m = { type: 103, value: 2 };
/** From the surface to the nominal top of the atmosphere. */
const column = { type: 1, value: 0, to: 8 };
/**
 * The whole atmosphere as one layer. XyGrib shows cloud only for this type and type 10, and eccodes names
 * neither when the centre is missing. Code 200 belongs to NCEP's local table.
 */
const wholeAtmosphere = { type: 200, value: 0, centre: 7 };
/** Metres below sea level. */
const belowSea = { type: 160, value: 0 };

type Codes = readonly [discipline: number, category: number, number: number];

function row(
  [discipline, category, number]: Codes,
  at: Grib2Row["surface"],
  [unit, decimals, span]: readonly [string, number, number],
  of: FieldName,
  factor = 1,
  offset = 0,
): Grib2Row {
  const from = { is: "value", of, factor, offset } as const;
  return { discipline, category, number, surface: at, unit, decimals, span, from };
}

/**
 * The three fields of a wave system. @param numbers Parameter numbers of direction, height and period in
 * discipline 10, category 0.
 */
function waves(
  system: "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave",
  numbers: readonly [direction: number, height: number, period: number],
): Grib2Row[] {
  const [direction, height, period] = numbers;
  const magnitude = `${system}_significant_height` as const;
  return [
    row([10, 0, height], surface, ["m", 2, 10], magnitude),
    {
      ...row([10, 0, direction], surface, ["degree true", 1, 360], magnitude),
      from: {
        is: "bearing",
        of: [`${system}_from_direction_x`, `${system}_from_direction_y`],
        magnitude,
      },
    },
    row([10, 0, period], surface, ["s", 2, 15], `${system}_mean_period`),
  ];
}

/** Reason given for a variable that has no row below and is therefore left out of GRIB2 files. */
export const NO_CODE = "its code of WMO's tables has not been chosen";

/**
 * The GRIB2 fields of each variable, or the reason why a variable has none.
 *
 * The numbers are those that navigation programs look for: direction and period of the total sea are 14 and
 * 15 (OpenCPN), not 10 and 11 (primary waves, as GFS-Wave writes them). Wave directions are where the waves
 * come FROM.
 */
const codes: Readonly<Partial<Record<VariableName, readonly Grib2Row[] | string>>> = {
  current: [
    row([10, 1, 2], belowSea, ["m s-1", 3, 3], "surface_eastward_sea_water_velocity"),
    row([10, 1, 3], belowSea, ["m s-1", 3, 3], "surface_northward_sea_water_velocity"),
  ],
  wind: [
    row([0, 2, 2], "atHeight", ["m s-1", 2, 40], "eastward_wind_10m"),
    row([0, 2, 3], "atHeight", ["m s-1", 2, 40], "northward_wind_10m"),
  ],
  gust: [row([0, 2, 22], surface, ["m s-1", 2, 40], "wind_speed_of_gust")],
  wave: waves("sea_surface_wave", [14, 3, 15]),
  bathy:
    "WMO's tables have no parameter for the depth of the sea floor, and navigation programs take it from their charts",
  sst: [row([10, 3, 0], surface, ["K", 2, 30], "sea_surface_temperature", 1, 273.15)],
  extra_wave: [...waves("sea_surface_swell_wave", [7, 8, 9]), ...waves("sea_surface_wind_wave", [4, 5, 6])],
  rain: [row([0, 1, 7], surface, ["kg m-2 s-1", 6, 0.005], "precipitation_flux", 1 / 3600)],
  mucape: [row([0, 7, 6], column, ["J kg-1", 0, 4000], "atmosphere_convective_available_potential_energy")],
  temp: [row([0, 0, 0], above2m, ["K", 2, 60], "air_temperature", 1, 273.15)],
  cloud: [row([0, 6, 1], wholeAtmosphere, ["%", 1, 100], "cloud_area_fraction")],
  pressure: [row([0, 3, 1], meanSea, ["Pa", 0, 8000], "air_pressure_at_mean_sea_level", 100)],
};

/** `codes` extended to every variable: a new variable is in all other formats before its code is chosen. */
export const grib2Rows = Object.fromEntries(
  variableNames.map((name) => [name, codes[name] ?? NO_CODE]),
) as Readonly<Record<VariableName, readonly Grib2Row[] | string>>;
