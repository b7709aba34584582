import { defaultUnits, type Quantity, quantities, type Units } from "#lib/units.ts";

const names = Object.keys(quantities) as Quantity[];

/** `m/s,ft` → units; quantities that are not named have their usual one, what is no unit is ignored. */
export function parseUnits(text: string): Units {
  const asked = text.split(",");
  const chosen = names.map((quantity) => [
    quantity,
    Object.keys(quantities[quantity].units).find((unit) => asked.includes(unit)) ?? defaultUnits[quantity],
  ]);
  return Object.fromEntries(chosen) as Units;
}

/** The units that are not the usual ones. */
export function writeUnits(units: Units): string {
  return names
    .map((quantity) => units[quantity])
    .filter((unit, index) => unit !== defaultUnits[names[index]!])
    .join(",");
}
