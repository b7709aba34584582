import { fromBeaufort, fromKnots, type SpeedUnit } from "#lib/units.ts";

/** A number beside the colour bar. */
export interface Tick {
  /** Where it belongs, m s-1. */
  value: number;
  text: string;
}

/** Round numbers of a unit inside a range of speeds (m s-1). */
export function legendTicks(unit: SpeedUnit, [low, high]: readonly [number, number]): Tick[] {
  const candidates: Tick[] =
    unit === "Bft"
      ? Array.from({ length: 13 }, (_, force) => ({ value: fromBeaufort(force), text: String(force) }))
      : Array.from({ length: 20 }, (_, index) => {
          const number = index * (unit === "kn" ? 10 : 5);
          return { value: unit === "kn" ? fromKnots(number) : number, text: String(number) };
        });
  return candidates.filter(({ value }) => value >= low && value <= high);
}
