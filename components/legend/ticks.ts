import type { LimitName, Mark } from "#lib/catalog/variable-row.ts";
import { formatUngrouped } from "#lib/messages/number.ts";
import { numberIn, type Unit } from "#lib/units.ts";

/** A number beside the colour bar. */
export interface Tick {
  /** Value in the unit of the field. */
  value: number;
  text: string;
  /** The category that begins there. */
  name?: LimitName | undefined;
}

const MAX_TICKS = 8;

/** Round numbers of a unit within a range of the field. */
export function legendTicks(unit: Unit, [low, high]: readonly [number, number]): Tick[] {
  const [from, to] = [unit.to(low), unit.to(high)];
  if (unit.name === "Bft") {
    return Array.from({ length: 13 }, (_, force) => ({
      value: unit.from(force),
      text: String(force),
    })).filter(({ value }) => value >= low && value <= high);
  }
  const step = roundStep((to - from) / (MAX_TICKS - 1));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => {
    const number = (first + index) * step;
    return { value: unit.from(number), text: formatUngrouped(number, decimals, unit.words.language) };
  });
}

/** The lower end of a range and the limits that a scale marks, in a unit. */
export function limitTicks(unit: Unit, low: number, limits: readonly Mark[]): Tick[] {
  return [{ at: low, name: undefined }, ...limits].map(({ at, name }) => ({
    value: at,
    text: numberIn(at, unit),
    name,
  }));
}

/** Width of a digit on a strip, and the least space between two numbers, pixels. */
const DIGIT = 6.5;
const SPACE = 3;

/** Ticks whose numbers do not touch on a strip of the given width, pixels; limits are never left out. */
export function spacedTicks(
  ticks: readonly Tick[],
  [low, high]: readonly [number, number],
  width: number,
): Tick[] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.filter(({ value, text, name }) => {
    const at = ((value - low) / (high - low)) * width;
    const half = (text.length * DIGIT) / 2;
    if (name === undefined && at - half < end + SPACE) return false;
    end = at + half;
    return true;
  });
}

/** The smallest of 1, 2, 5, 10 … that is not less than a value. */
function roundStep(minStep: number): number {
  const power = 10 ** Math.floor(Math.log10(minStep));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= minStep * (1 - 1e-9)) ?? 10;
  return factor * power;
}
