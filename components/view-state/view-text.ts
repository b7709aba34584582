import type { Place } from "@open-metocean/geo/sphere";
import { readDecimal } from "#lib/decimal.ts";
import { defaultUnits, type Quantity, quantities, type Units } from "#lib/units.ts";

/** Parses a place such as `48.5,-5.17`; null for anything else. */
export function parsePlace(text: string): Place | null {
  const [latitude = Number.NaN, longitude = Number.NaN, ...rest] = text.split(",").map(readDecimal);
  const valid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && rest.length === 0;
  return valid ? { latitude, longitude } : null;
}

const names = Object.keys(quantities) as Quantity[];

/** Parses units such as `m/s,ft`; other quantities have their default unit, unknown names are ignored. */
export function parseUnits(text: string): Units {
  const requested = text.split(",");
  const entries = names.map((quantity) => [
    quantity,
    Object.keys(quantities[quantity].units).find((unit) => requested.includes(unit)) ??
      defaultUnits[quantity],
  ]);
  return Object.fromEntries(entries) as Units;
}

export function writeUnits(units: Units): string {
  return names
    .map((quantity) => units[quantity])
    .filter((unit, index) => unit !== defaultUnits[names[index]!])
    .join(",");
}

/** Query of a request, in the form in which Next passes it to a page. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The query as a single text, like `location.search` in the browser. */
export async function requestSearch(params: SearchParams): Promise<string> {
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(await params)) {
    for (const value of [given ?? []].flat()) search.append(name, value);
  }
  return search.toString();
}
