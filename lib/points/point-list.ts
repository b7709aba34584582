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
  /** Its tidal gate in a GPX file of ours: the attributes, which nobody has checked. */
  gate?: Readonly<Record<string, string>>;
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

/** Points as columns: a worker hands them over without copying, and a long list takes little memory. */
export interface PointColumns {
  /** Degrees north and east. */
  latitude: Float64Array<ArrayBuffer>;
  longitude: Float64Array<ArrayBuffer>;
  /** Unix seconds; NaN where a point has none. */
  time: Float64Array<ArrayBuffer>;
  /** Speed of the leg that ends at a point, knots; NaN where it has none. */
  knots: Float64Array<ArrayBuffer>;
}

export function columnsOfPoints(points: readonly ListedPoint[]): PointColumns {
  return {
    latitude: Float64Array.from(points, ({ latitude }) => latitude),
    longitude: Float64Array.from(points, ({ longitude }) => longitude),
    time: Float64Array.from(points, ({ time }) => time ?? Number.NaN),
    knots: Float64Array.from(points, ({ knots }) => knots ?? Number.NaN),
  };
}

export function pointsOfColumns({ latitude, longitude, time, knots }: PointColumns): ListedPoint[] {
  return Array.from(latitude, (degrees, index) => ({
    latitude: degrees,
    longitude: longitude[index] ?? Number.NaN,
    time: present(time[index]),
    knots: present(knots[index]),
  }));
}

function present(value: number | undefined): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
