import { MILE_KM } from "#lib/geo/sphere.ts";

/** A unit that a number can be shown in. */
export interface Unit {
  /** As written after a number. */
  symbol: string;
  /** As read aloud. */
  spoken: string;
  decimals: number;
  /** Converts from the unit of the API. */
  to(value: number): number;
  /** Converts back to the unit of the API. */
  from(number: number): number;
}

const linear = (symbol: string, spoken: string, decimals: number, factor = 1, offset = 0): Unit => ({
  symbol,
  spoken,
  decimals,
  to: (value) => value * factor + offset,
  from: (number) => (number - offset) / factor,
});

/** One knot, m s-1 (exact: 1852 m an hour). */
const KNOT = (1000 * MILE_KM) / 3600;

/** Quantities whose unit people can choose; `answered` is the unit of the API. */
export const quantities = {
  speed: {
    title: "Speed",
    answered: "m/s",
    units: {
      kn: linear("kn", "knots", 0, 1 / KNOT),
      "m/s": linear("m/s", "metres per second", 1),
      "km/h": linear("km/h", "kilometres per hour", 0, 3.6),
      Bft: { symbol: "Bft", spoken: "Beaufort", decimals: 0, to: toBeaufort, from: fromBeaufort },
    },
  },
  length: {
    title: "Height and depth",
    answered: "m",
    units: {
      m: linear("m", "metres", 1),
      ft: linear("ft", "feet", 0, 1 / 0.3048),
      fm: linear("fm", "fathoms", 0, 1 / (6 * 0.3048)),
    },
  },
  temperature: {
    title: "Temperature",
    answered: "°C",
    units: { C: linear("°C", "degrees Celsius", 1), F: linear("°F", "degrees Fahrenheit", 0, 1.8, 32) },
  },
  pressure: {
    title: "Pressure",
    answered: "hPa",
    units: {
      hPa: linear("hPa", "hectopascals", 1),
      // Conventional inch of mercury at 0 °C: 3386.389 Pa.
      inHg: linear("inHg", "inches of mercury", 2, 1 / 33.86389),
    },
  },
} as const satisfies Record<string, { title: string; answered: string; units: Record<string, Unit> }>;

export type Quantity = keyof typeof quantities;

/** The chosen unit of each quantity, by its name in a link: `kn`, `m`, `C`, `hPa`. */
export type Units = { [Q in Quantity]: keyof (typeof quantities)[Q]["units"] };

export const defaultUnits: Units = { speed: "kn", length: "m", temperature: "C", pressure: "hPa" };

/** The quantity that has a unit in the API; undefined where there is no choice of units. */
export function quantityOf(answered: string): Quantity | undefined {
  return (Object.keys(quantities) as Quantity[]).find((name) => quantities[name].answered === answered);
}

/**
 * How numbers are shown, where not as usual. `slow`: a current, with tenths of a knot. `deep`: a depth, without decimals and
 * with a choice of fathoms.
 */
export type Reading = "slow" | "deep";

/** Units of a quantity, by name. Beaufort is only for wind, fathoms only for depths. */
export function unitsOf(quantity: Quantity, reading?: Reading): Readonly<Record<string, Unit>> {
  const { Bft: _, ...speeds } = quantities.speed.units;
  const { fm: __, ...heights } = quantities.length.units;
  if (quantity === "speed" && reading === "slow") return speeds;
  return quantity === "length" && reading !== "deep" ? heights : quantities[quantity].units;
}

/** Name of the unit that numbers are shown in: the chosen one, or the first where that does not apply. */
export function unitName(quantity: Quantity, chosen: Units, reading?: Reading): string {
  const units = unitsOf(quantity, reading);
  const name = chosen[quantity];
  return name in units ? name : (Object.keys(units)[0] ?? name);
}

/**
 * The unit that numbers are shown in.
 *
 * @param answered Unit of the API.
 */
export function unitFor(answered: string, chosen: Units, reading?: Reading): Unit {
  const quantity = quantityOf(answered);
  if (!quantity) return linear(answered, spokenOf[answered] ?? answered, decimalsOf[answered] ?? 1);
  const unit = unitsOf(quantity, reading)[unitName(quantity, chosen, reading)]!;
  if (reading === "deep") return { ...unit, decimals: 0 };
  return reading === "slow" ? { ...unit, decimals: unit.decimals + 1 } : unit;
}

const spokenOf: Record<string, string> = {
  "%": "percent",
  s: "seconds",
  "°": "degrees",
  "mm/h": "millimetres per hour",
  "J/kg": "joules per kilogram",
};
const decimalsOf: Record<string, number> = { "%": 0, "J/kg": 0, "°": 0 };

/** A number in a unit, without the unit. */
export function numberIn(value: number, unit: Unit): string {
  const text = unit.to(value).toFixed(unit.decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** "18 kn", "2.4 m", "Bft 5", "80%". */
export function textIn(value: number, unit: Unit): string {
  const number = numberIn(value, unit);
  if (unit.symbol === "Bft") return `Bft ${number}`;
  return unit.symbol === "%" || unit.symbol === "°" ? `${number}${unit.symbol}` : `${number} ${unit.symbol}`;
}

/** Lower limits of forces 1 to 12, m s-1 (WMO No. 306, code table 1100). */
const beaufortLimits = [0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/**
 * Beaufort force of a wind.
 *
 * @param metresPerSecond Mean wind at 10 m, m s-1, rounded to 0.1 m s-1 as in the table.
 * @returns 0..12; NaN for NaN.
 */
export function toBeaufort(metresPerSecond: number): number {
  if (Number.isNaN(metresPerSecond)) return Number.NaN;
  const tenths = Math.round(metresPerSecond * 10) / 10;
  let force = 0;
  while (force < 12 && tenths >= beaufortLimits[force]!) force++;
  return force;
}

/** Lower limit of a force, m s-1. @param force Beaufort, 0..12. */
export function fromBeaufort(force: number): number {
  return force < 1 ? 0 : beaufortLimits[Math.min(12, force) - 1]!;
}

/** Speed in knots. @param metresPerSecond m s-1. */
export function toKnots(metresPerSecond: number): number {
  return metresPerSecond / KNOT;
}

/** Speed in m s-1. */
export function fromKnots(knots: number): number {
  return knots * KNOT;
}
