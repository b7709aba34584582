import { normaliseLongitude } from "#lib/field/grid.ts";

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
}

/** A list that cannot be used. The problems are written for its author. */
export class PointListError extends Error {
  override readonly name = "PointListError";
  readonly problems: readonly string[];
  /** @param count How many there are, where not all are given. */
  constructor(problems: readonly string[], count = problems.length) {
    const shown = problems.slice(0, MAX_SHOWN);
    const more = count - shown.length;
    super([...shown, ...(more > 0 ? [`… and ${more} more.`] : [])].join("\n"));
    this.problems = problems;
  }
}

const MAX_SHOWN = 5;

/** A longitude of any convention in −180..180, as the API requires. */
export function wrapped(longitude: number): number {
  return longitude >= -180 && longitude <= 180 ? longitude : normaliseLongitude(longitude);
}

/** A number as people write it: with a decimal point or comma, a hyphen or a minus sign; NaN for anything else. */
export function readDecimal(text: string): number {
  const written = text.trim().replace(",", ".").replace("−", "-");
  return written === "" ? Number.NaN : Number(written);
}

/** What is wrong with a position; undefined for a valid one. */
export function positionProblem(latitude: number, longitude: number): string | undefined {
  if (!(Math.abs(latitude) <= 90)) return "the latitude should be −90 to 90";
  if (!(longitude >= -180 && longitude <= 360)) return "the longitude should be −180 to 180, or 0 to 360";
  return undefined;
}

/**
 * A timestamp as lists have it: ISO 8601 with Z or an offset; without either it is UTC.
 *
 * @returns Unix seconds, rounded; NaN for an invalid timestamp.
 */
export function readInstant(text: string): number {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
      text.trim(),
    );
  if (!match) return Number.NaN;
  const [, day, minute = "00:00", second = ":00", zone = "Z"] = match;
  // Date.parse reads 30 February as 2 March.
  if (!new Date(Date.parse(`${day}T00:00:00Z`) || Number.NaN).toJSON()?.startsWith(day ?? "?"))
    return Number.NaN;
  const offset = /^(z|utc)$/i.test(zone) ? "Z" : zone.replace(/^(...)(\d\d)$/, "$1:$2");
  return Math.round(Date.parse(`${day}T${minute}${second}${offset}`) / 1000);
}
