import type { FieldName } from "./fields.ts";
import { type VariableName, variableNames } from "./variables.ts";

/** Where a field applies: WMO code table 4.5, and the value of a level (metres for 103). */
export interface Grib2Surface {
  type: number;
  value: number;
  /** Type of the second surface of a layer. */
  to?: number;
  /** The centre whose table a local type is of (common code table C-11). Other messages name no centre. */
  centre?: number;
}

/** A field of a GRIB2 file: WMO's parameter (code table 4.2), and how it is derived from stored fields. */
export interface Grib2Row {
  discipline: number;
  category: number;
  number: number;
  /** `atHeight`: at the height of the request, metres above ground (103). */
  surface: Grib2Surface | "atHeight";
  /** Of the parameter in WMO's tables. */
  unit: string;
  /** Written to so many decimals of `unit`. */
  decimals: number;
  /** Difference of the largest and the smallest number of an ordinary field, in `unit`: for estimates of the size. */
  span: number;
  /** `value`: stored · factor + offset. `bearing`: degrees of a unit vector (x = sine, y = cosine). */
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
 * The whole atmosphere as one layer: XyGrib shows cloud nowhere else but there and at
 * type 10, and eccodes names neither where the centre is missing. 200 is a code of NCEP's own table.
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

/** The three fields of a system of waves. @param numbers Of direction, height and period in discipline 10, category 0. */
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

/** Why a variable without a row below is not in GRIB2 files. */
export const NO_CODE = "its code of WMO's tables has not been chosen";

/**
 * The fields of GRIB2 files by variable, or why a variable has none.
 *
 * Numbers are those that navigation programs look for: the direction and period of the whole sea are 14 and 15 (OpenCPN),
 * not 10 and 11 (those of the primary waves, as GFS-Wave writes them). Directions of waves are where they come FROM.
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

/** The same of every variable: a new one is in all other formats before it has a code. */
export const grib2Rows = Object.fromEntries(
  variableNames.map((name) => [name, codes[name] ?? NO_CODE]),
) as Readonly<Record<VariableName, readonly Grib2Row[] | string>>;
