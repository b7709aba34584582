import { KNOT } from "@open-metocean/geo/knots";
import type { Reading } from "./catalog/variable-row.ts";
import { formatUngrouped, inUnit, unitKind } from "./messages/number.ts";
import type { Words } from "./messages/words.ts";

/** How numbers are converted. */
interface Scale {
  decimals: number;
  /** Converts from the unit of the API. */
  to(value: number): number;
  /** Converts back to the unit of the API. */
  from(number: number): number;
}

/** A unit in which a number can be shown, with the words for it. */
export interface Unit extends Scale {
  /** Name independent of language: as in a link if the unit can be chosen, otherwise as in the API. */
  name: string;
  /** Symbol written after a number. */
  symbol: string;
  /** Name read aloud. */
  spoken: string;
  words: Words;
}

const linear = (decimals: number, factor = 1, offset = 0): Scale => ({
  decimals,
  to: (value) => value * factor + offset,
  from: (number) => (number - offset) / factor,
});

/** Quantities whose unit can be chosen; `answered` is the unit of the API. */
export const quantities = {
  speed: {
    answered: "m/s",
    units: {
      kn: linear(0, 1 / KNOT),
      "m/s": linear(1),
      "km/h": linear(0, 3.6),
      Bft: { decimals: 0, to: toBeaufort, from: fromBeaufort },
    },
  },
  length: {
    answered: "m",
    units: { m: linear(1), ft: linear(0, 1 / 0.3048), fm: linear(0, 1 / (6 * 0.3048)) },
  },
  temperature: { answered: "°C", units: { C: linear(1), F: linear(0, 1.8, 32) } },
  pressure: {
    answered: "hPa",
    // Conventional inch of mercury at 0 °C: 3386.389 Pa.
    units: { hPa: linear(1), inHg: linear(2, 1 / 33.86389) },
  },
} as const satisfies Record<string, { answered: string; units: Record<string, Scale> }>;

export type Quantity = keyof typeof quantities;

/** The chosen unit of each quantity, by its name in links: `kn`, `m`, `C`, `hPa`. */
export type Units = { [Q in Quantity]: keyof (typeof quantities)[Q]["units"] };

export const defaultUnits: Units = { speed: "kn", length: "m", temperature: "C", pressure: "hPa" };

/** The quantity that has a given unit in the API; undefined if there is no choice of units. */
export function quantityOf(answered: string): Quantity | undefined {
  return (Object.keys(quantities) as Quantity[]).find((name) => quantities[name].answered === answered);
}

/** All units of a quantity. */
export function allUnits(quantity: Quantity, words: Words): Unit[] {
  const scales = Object.entries<Scale>(quantities[quantity].units);
  return scales.map(([name, scale]) => inWords(name, scale, words));
}

/** Names of the units in which a quantity is shown. Beaufort is only for wind, fathoms only for depths. */
export function unitNames(quantity: Quantity, reading: Reading | undefined): string[] {
  const applies: Readonly<Record<string, boolean>> = { Bft: reading !== "slow", fm: reading === "deep" };
  return Object.keys(quantities[quantity].units).filter((name) => applies[name] ?? true);
}

export function unitsOf(quantity: Quantity, reading: Reading | undefined, words: Words): Unit[] {
  const names = unitNames(quantity, reading);
  return allUnits(quantity, words).filter(({ name }) => names.includes(name));
}

/** Name of the unit in which numbers are shown: the chosen one, or the first if that does not apply. */
export function unitName(quantity: Quantity, chosen: Units, reading?: Reading): string {
  const names = unitNames(quantity, reading);
  const name = chosen[quantity];
  return names.includes(name) ? name : (names[0] ?? name);
}

/**
 * The unit in which numbers are shown.
 *
 * @param answered Unit of the API.
 */
export function unitFor(answered: string, chosen: Units, reading: Reading | undefined, words: Words): Unit {
  const quantity = quantityOf(answered);
  if (!quantity) return inWords(answered, linear(decimalsOf[answered] ?? 1), words);
  const scales: Readonly<Record<string, Scale>> = quantities[quantity].units;
  const name = unitName(quantity, chosen, reading);
  const unit = inWords(name, scales[name]!, words);
  if (reading === "deep") return { ...unit, decimals: 0 };
  return reading === "slow" ? { ...unit, decimals: unit.decimals + 1 } : unit;
}

const decimalsOf: Record<string, number> = { "%": 0, "J/kg": 0, "°": 0 };

function inWords(name: string, scale: Scale, words: Words): Unit {
  const units: Readonly<Record<string, { symbol: string; spoken: string }>> = words.catalog.units;
  const { symbol, spoken } = units[name] ?? { symbol: name, spoken: name };
  return { name, symbol, spoken, words, ...scale };
}

/** A formatted number in a unit, without the symbol. */
export function numberIn(value: number, unit: Unit): string {
  return formatUngrouped(unit.to(value), unit.decimals, unit.words.language);
}

/** A number with the symbol of its unit: "18 kn", "2.4 m", "Bft 5", "80%". */
export function textIn(value: number, unit: Unit): string {
  return inUnit(numberIn(value, unit), unit.symbol, unit.words);
}

/** A number with the spoken name of its unit, for screen readers: "18 knots", "2.4 metres", "5 Beaufort". */
export function spokenIn(value: number, unit: Unit): string {
  return unit.words.catalog.inSpokenUnit({
    number: numberIn(value, unit),
    spoken: unit.spoken,
    kind: unitKind(unit.symbol),
  });
}

/**
 * The unit in which the difference of two numbers is shown. Beaufort has no differences: they are in knots, as everywhere
 * where Beaufort does not apply.
 */
export function differenceUnit(
  answered: string,
  chosen: Units,
  reading: Reading | undefined,
  words: Words,
): Unit {
  const speed = chosen.speed === "Bft" ? "kn" : chosen.speed;
  const unit = unitFor(answered, { ...chosen, speed }, reading, words);
  // A difference of degrees has no offset.
  const zero = unit.to(0);
  return { ...unit, to: (value) => unit.to(value) - zero, from: (number) => unit.from(number + zero) };
}

/** A signed difference with the symbol of its unit: "+3 kn", "−0.4 m", "0 kn". */
export function signedIn(value: number, unit: Unit): string {
  const number = numberIn(value, unit);
  const isMore = Number(unit.to(value).toFixed(unit.decimals)) > 0;
  return inUnit(isMore ? `+${number}` : number, unit.symbol, unit.words);
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
