import { defaultUnits, type Quantity, quantities, type Units } from "#lib/units.ts";

const names = Object.keys(quantities) as Quantity[];

/** `m/s,ft` → units; other quantities have their default unit, unknown names are ignored. */
export function parseUnits(text: string): Units {
  const requested = text.split(",");
  const entries = names.map((quantity) => [
    quantity,
    Object.keys(quantities[quantity].units).find((unit) => requested.includes(unit)) ??
      defaultUnits[quantity],
  ]);
  return Object.fromEntries(entries) as Units;
}

/** Names the units that differ from the defaults. */
export function writeUnits(units: Units): string {
  return names
    .map((quantity) => units[quantity])
    .filter((unit, index) => unit !== defaultUnits[names[index]!])
    .join(",");
}
