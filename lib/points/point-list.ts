import { normaliseLongitude } from "#lib/field/grid.ts";
import type { LegKind } from "#lib/passage/route.ts";

/** A place of a list that a person uploads, with its time where the list has one. */
export interface ListedPoint {
  latitude: number;
  longitude: number;
  /** Unix seconds. */
  time?: number;
  /** Of a waypoint. */
  name?: string;
  /** Planned speed of the leg that ends here, knots. */
  knots?: number;
  /** How it is reached, where the file says so. */
  leg?: LegKind;
}

/** A longitude of any convention in −180..180, as the API requires. */
export function wrapped(longitude: number): number {
  return longitude >= -180 && longitude <= 180 ? longitude : normaliseLongitude(longitude);
}

/** Which angle of a position is out of its range; undefined for a valid one. */
export function wrongAxis(latitude: number, longitude: number): "latitude" | "longitude" | undefined {
  if (!(Math.abs(latitude) <= 90)) return "latitude";
  if (!(longitude >= -180 && longitude <= 360)) return "longitude";
  return undefined;
}

/**
 * A timestamp as lists have it: ISO 8601 with Z or an offset; without either it is UTC.
 *
 * @returns Unix seconds, rounded; NaN for an invalid timestamp.
 */
export function readInstant(text: string): number {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2}|(?<=:\d{2}(?:\.\d+)?\s*)[+-]\d{2})?$/i.exec(
      text.trim(),
    );
  if (!match) return Number.NaN;
  const [, day, minute = "00:00", second = ":00", zone = "Z"] = match;
  // Date.parse reads 30 February as 2 March.
  if (!new Date(Date.parse(`${day}T00:00:00Z`) || Number.NaN).toJSON()?.startsWith(day ?? "?"))
    return Number.NaN;
  const offset = /^(z|utc)$/i.test(zone)
    ? "Z"
    : zone.replace(/^(...):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`);
  return Math.round(Date.parse(`${day}T${minute}${second}${offset}`) / 1000);
}
