import { toKnots } from "@open-metocean/geo/knots";
import type { OutputName, VariableName } from "#lib/catalog/variables.ts";
import type { Weather } from "#lib/passage/vessel.ts";

/** Source of a quantity, and the treatment of its limits. */
interface QuantityRow {
  variable: VariableName;
  output: OutputName;
  /** Converts from the unit of POST /MetOcean. */
  convert(value: number): number;
  /** Unit as written after a number; it belongs to the contract and is not translated. */
  unit: string;
  decimals: number;
  /** How far a value must be back within its limit before a watch that fired clears. */
  margin: number;
  /** Range of accepted limits. */
  range: readonly [least: number, most: number];
}

const same = (value: number) => value;

/** Hourly quantities that a watch can have, with the unit in the name. Winds are those at 10 m. */
export const quantities = {
  wind_kt: {
    variable: "wind",
    output: "Winds_10m_Intensity",
    convert: toKnots,
    unit: "kn",
    decimals: 0,
    margin: 2,
    range: [0, 200],
  },
  gust_kt: {
    variable: "gust",
    output: "Gust_10m",
    convert: toKnots,
    unit: "kn",
    decimals: 0,
    margin: 3,
    range: [0, 250],
  },
  sea_m: {
    variable: "wave",
    output: "Waves_Significant_Height",
    convert: same,
    unit: "m",
    decimals: 1,
    margin: 0.3,
    range: [0, 30],
  },
  swell_m: {
    variable: "extra_wave",
    output: "Swell_Significant_Height",
    convert: same,
    unit: "m",
    decimals: 1,
    margin: 0.3,
    range: [0, 30],
  },
  current_kt: {
    variable: "current",
    output: "Currents_Intensity",
    convert: toKnots,
    unit: "kn",
    decimals: 1,
    margin: 0.2,
    range: [0, 20],
  },
  rain_mm_h: {
    variable: "rain",
    output: "Precipitation",
    convert: same,
    unit: "mm/h",
    decimals: 1,
    margin: 0.5,
    range: [0, 200],
  },
  pressure_hpa: {
    variable: "pressure",
    output: "Pressure",
    convert: same,
    unit: "hPa",
    decimals: 0,
    margin: 2,
    range: [850, 1100],
  },
  cape_j_kg: {
    variable: "mucape",
    output: "MUCAPE",
    convert: same,
    unit: "J/kg",
    decimals: 0,
    margin: 200,
    range: [0, 10_000],
  },
} as const satisfies Record<string, QuantityRow>;

export type HourlyQuantity = keyof typeof quantities;

export const hourlyQuantities = Object.keys(quantities) as [HourlyQuantity, ...HourlyQuantity[]];

/** The distance to the danger area of the nearest storm, which is not an hourly quantity. */
export const STORM_NM = "storm_nm";

/** Its row, used to format limits. */
export const stormRow = { unit: "n mi", decimals: 0, margin: 20, range: [0, 1000] } as const;

/** The height of the tide at a station. It has no margin, because predictions do not fluctuate. */
export const TIDE_M = "tide_m";

const tideRow = { unit: "m", decimals: 2, margin: 0, range: [-20, 30] } as const;

export type WeatherQuantity = HourlyQuantity | typeof STORM_NM;

export type WatchQuantity = WeatherQuantity | typeof TIDE_M;

/** Quantities for conditions on places and routes. */
export const watchQuantities: readonly [WeatherQuantity, ...WeatherQuantity[]] = [
  ...hourlyQuantities,
  STORM_NM,
];

export function rowOf(quantity: WatchQuantity): Omit<QuantityRow, "variable" | "output" | "convert"> {
  if (quantity === TIDE_M) return tideRow;
  return quantity === STORM_NM ? stormRow : quantities[quantity];
}

/** The value of a quantity in its own unit; null if unknown. */
export function hourlyValue(quantity: HourlyQuantity, weather: Weather): number | null {
  const { output, convert } = quantities[quantity];
  const value = weather[output];
  return value === undefined || value === null ? null : convert(value);
}
