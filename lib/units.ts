import { MILE_KM } from "#lib/geo/sphere.ts";

/** A unit that a number of the service can be shown in. */
export interface Unit {
  /** As written behind a number. */
  symbol: string;
  /** As read aloud. */
  spoken: string;
  decimals: number;
  /** From the unit that the service answers in. */
  to(value: number): number;
  /** Back to the unit that the service answers in. */
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

/** Quantities whose unit people choose, each with the unit that the service answers in. */
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

/** The units that a person chose, by their names in a link: `kn`, `m`, `C`, `hPa`. */
export type Units = { [Q in Quantity]: keyof (typeof quantities)[Q]["units"] };

export const defaultUnits: Units = { speed: "kn", length: "m", temperature: "C", pressure: "hPa" };

/** The quantity that is answered in a unit; undefined where there is nothing to choose. */
export function quantityOf(answered: string): Quantity | undefined {
  return (Object.keys(quantities) as Quantity[]).find((name) => quantities[name].answered === answered);
}

/**
 * Numbers that are not read as usual. `slow`: a current, of which tenths of a knot count. `deep`: a depth, of which they do
 * not.
 */
export type Reading = "slow" | "deep";

/** Units of a quantity, by name: Beaufort is a scale of wind, and fathoms measure depths. */
export function unitsOf(quantity: Quantity, reading?: Reading): Readonly<Record<string, Unit>> {
  const { Bft: _, ...speeds } = quantities.speed.units;
  const { fm: __, ...heights } = quantities.length.units;
  if (quantity === "speed" && reading === "slow") return speeds;
  return quantity === "length" && reading !== "deep" ? heights : quantities[quantity].units;
}

/** Name of the unit that numbers are shown in: the chosen one, or where that is not for them the one that stands for it. */
export function unitName(quantity: Quantity, chosen: Units, reading?: Reading): string {
  const units = unitsOf(quantity, reading);
  const name = chosen[quantity];
  return name in units ? name : (Object.keys(units)[0] ?? name);
}

/**
 * The unit that numbers are shown in.
 *
 * @param answered Unit of the service's answer.
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
 * @param metresPerSecond Mean wind at 10 m, m s-1, compared at 0.1 m s-1 as the table is.
 * @returns 0..12; NaN for NaN.
 */
export function toBeaufort(metresPerSecond: number): number {
  if (Number.isNaN(metresPerSecond)) return Number.NaN;
  const tenths = Math.round(metresPerSecond * 10) / 10;
  let force = 0;
  while (force < 12 && tenths >= beaufortLimits[force]!) force++;
  return force;
}

/** Lowest wind of a force, m s-1. @param force 0..12. */
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
