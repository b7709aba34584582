import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { LegKind } from "#lib/passage/route.ts";

/** A place in a list that a person uploads, with its time if the list has one. */
export interface ListedPoint {
  latitude: number;
  longitude: number;
  /** Unix seconds. */
  time?: number;
  /** Name of a waypoint. */
  name?: string;
  /** Planned speed of the leg that ends here, knots. */
  knots?: number;
  /** Kind of the leg that ends here, if the file states it. */
  leg?: LegKind;
  /** Tidal gate in a GPX file of this service: its attributes, unchecked. */
  gate?: Readonly<Record<string, string>>;
}

/** Converts a longitude of any convention to −180..180, as the API requires. */
export function wrapped(longitude: number): number {
  return longitude >= -180 && longitude <= 180 ? longitude : normaliseLongitude(longitude);
}

/** The angle of a position that is out of range; undefined for a valid position. */
export function wrongAxis(latitude: number, longitude: number): "latitude" | "longitude" | undefined {
  if (!(Math.abs(latitude) <= 90)) return "latitude";
  if (!(longitude >= -180 && longitude <= 360)) return "longitude";
  return undefined;
}

/**
 * Reads a timestamp of a list: ISO 8601 with Z or an offset, or without either, which means UTC.
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
  // Date.parse accepts 30 February as 2 March, so the day is compared.
  if (!new Date(Date.parse(`${day}T00:00:00Z`) || Number.NaN).toJSON()?.startsWith(day ?? "?"))
    return Number.NaN;
  const offset = /^(z|utc)$/i.test(zone)
    ? "Z"
    : zone.replace(/^(...):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`);
  return Math.round(Date.parse(`${day}T${minute}${second}${offset}`) / 1000);
}

/** Points as columns, which a worker transfers without copying and which take little memory. */
export interface PointColumns {
  /** Degrees north; `longitude` in degrees east. */
  latitude: Float64Array<ArrayBuffer>;
  longitude: Float64Array<ArrayBuffer>;
  /** Unix seconds; NaN for a point without a time. */
  time: Float64Array<ArrayBuffer>;
  /** Speed of the leg that ends at a point, knots; NaN if it is not given. */
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
