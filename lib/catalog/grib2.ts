import type { Grib2Surface } from "@open-metocean/grib2/message";

/**
 * A field of a GRIB2 file: its WMO parameter (code table 4.2) and how it is derived from stored fields.
 *
 * @template F Names of the stored fields.
 */
export interface Grib2Row<F extends string> {
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
    | { is: "value"; of: F; factor: number; offset: number }
    | { is: "bearing"; of: readonly [F, F]; magnitude: F };
}

export const meanSea = { type: 101, value: 0 };
/** Ground or water surface. */
export const surface = { type: 1, value: 0 };
export const above2m = { type: 103, value: 2 };
/** From the surface to the nominal top of the atmosphere. */
export const column = { type: 1, value: 0, to: 8 };
/**
 * The whole atmosphere as one layer. XyGrib shows cloud only for this type and type 10, and eccodes names
 * neither when the centre is missing. Code 200 belongs to NCEP's local table.
 */
export const wholeAtmosphere = { type: 200, value: 0, centre: 7 };
/** Metres below sea level. */
export const belowSea = { type: 160, value: 0 };

type Codes = readonly [discipline: number, category: number, number: number];

/**
 * A field of a GRIB2 file that is one stored field.
 *
 * The numbers are those that navigation programs look for: direction and period of the total sea are 14 and
 * 15 (OpenCPN), not 10 and 11 (primary waves, as GFS-Wave writes them).
 *
 * @param field The stored field; its values · factor + offset are in `unit`.
 */
export function grib2<const F extends string>(
  [discipline, category, number]: Codes,
  surface: Grib2Row<F>["surface"],
  [unit, decimals, span]: readonly [string, number, number],
  field: F,
  factor = 1,
  offset = 0,
): Grib2Row<F> {
  const from = { is: "value", of: field, factor, offset } as const;
  return { discipline, category, number, surface, unit, decimals, span, from };
}

/**
 * The three fields of a wave system. Wave directions are where the waves come FROM.
 *
 * @param system The names of its stored fields begin with this.
 * @param numbers Parameter numbers of direction, height and period in discipline 10, category 0.
 */
export function grib2Waves<const S extends string>(
  system: S,
  [direction, height, period]: readonly [direction: number, height: number, period: number],
) {
  const magnitude = `${system}_significant_height` as const;
  const of = [`${system}_from_direction_x`, `${system}_from_direction_y`] as const;
  type Row = Grib2Row<typeof magnitude | (typeof of)[number] | `${S}_mean_period`>;
  const rows: Row[] = [
    grib2([10, 0, height], surface, ["m", 2, 10], magnitude),
    {
      ...grib2([10, 0, direction], surface, ["degree true", 1, 360], magnitude),
      from: { is: "bearing", of, magnitude },
    },
    grib2([10, 0, period], surface, ["s", 2, 15], `${system}_mean_period`),
  ];
  return rows;
}

/** Parameter of a vector's length. Only statistics over members are written as one; other speeds are components. */
type Grib2Speed = Pick<Grib2Row<string>, "discipline" | "category" | "number" | "surface" | "decimals">;

/** Parameters of the speeds of variables, m s-1. */
export const grib2Speeds: Readonly<Partial<Record<string, Grib2Speed>>> = {
  wind: { discipline: 0, category: 2, number: 1, surface: "atHeight", decimals: 2 },
  current: { discipline: 10, category: 1, number: 1, surface: belowSea, decimals: 3 },
};
