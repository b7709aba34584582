import type { Box } from "@open-metocean/geo/box";
import type { Output, VariableName } from "#lib/catalog/variables.ts";
import { distanceUnits } from "#lib/contract/edr.ts";
import { readDecimal } from "#lib/decimal.ts";
import { parseInstant } from "#lib/time.ts";
import {
  crs84Names,
  type EdrEnsemble,
  type EnsembleParameter,
  EPSG4326,
  ensembleParametersOf,
  parametersOf,
} from "./metadata.ts";

/** Parameters of a query, with the variables that provide them. */
export interface SelectedParameters {
  variables: VariableName[];
  outputs: Output[];
  /** Statistics over the members of an ensemble, in place of outputs. */
  statistics: EnsembleParameter[];
}

/**
 * Reads `parameter-name`, a selection of outputs, sorted as in the catalog; all outputs if it is absent.
 *
 * @param ensemble The ensemble of the collection, whose statistics are parameters too. A selection has either outputs or
 *   statistics, by default the statistics where no members are kept.
 * @throws EdrQueryError for an unknown name, and for outputs and statistics together.
 */
export function selectParameters(
  text: string | undefined,
  variables: readonly VariableName[],
  ensemble?: EdrEnsemble,
): SelectedParameters {
  const names = text?.split(",").map((name) => name.trim());
  const isNamed = ({ output }: { output: Output }) => names?.includes(output.point) ?? true;
  const all = parametersOf(ensemble?.variables ?? variables);
  const figures = ensemble ? ensembleParametersOf(variables, ensemble) : [];
  const main = all.length > 0 ? all : figures;
  const known = new Set<string>([...all, ...figures].map(({ output }) => output.point));
  const unknown = new Set(names?.filter((name) => !known.has(name)));
  if (unknown.size > 0)
    throw new EdrQueryError(
      `parameter-name: ${unknown.size === 1 ? "one name is" : `${unknown.size} names are`} not of this collection, which has ${main.map(({ output }) => output.point).join(", ")}`,
    );
  const chosen = all.filter(isNamed);
  const statistics = names || main === figures ? figures.filter(isNamed) : [];
  if (statistics.length > 0 && chosen.length > 0)
    throw new EdrQueryError(
      "parameter-name: ask for statistics of the ensemble, or for values of one member, not for both at once",
    );
  return {
    variables: [...new Set([...chosen, ...statistics].map(({ name }) => name))],
    outputs: chosen.map(({ output }) => output),
    statistics,
  };
}

/**
 * Reads `realization`, the number of a member. By default it is the first member, which is 0, the control, where the
 * ensemble has one; a collection without an ensemble has 0.
 *
 * @throws EdrQueryError for a member that the ensemble lacks, and for any member of a collection without an ensemble.
 */
export function readRealization(text: string | undefined, ensemble: EdrEnsemble | undefined): number {
  if (!ensemble || ensemble.members.length === 0) {
    if (text !== undefined) throw new EdrQueryError("realization: this collection has no members");
    return 0;
  }
  if (text === undefined) return ensemble.members[0]!;
  const number = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (ensemble.members.includes(number)) return number;
  throw new EdrQueryError(`realization: should be one of ${ensemble.members.join(", ")}`);
}

const NUMBER = /^\d{1,3}(?:\.\d{1,9})?$/;

/** Reads `z`: the height of the wind, metres. @param hasWind Whether the collection has a quantity with heights. */
export function readHeight(text: string | undefined, hasWind: boolean): number {
  if (text === undefined) return 10;
  const height = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!hasWind) throw new EdrQueryError("z: nothing in this collection has heights");
  if (height >= 10 && height <= 100) return height;
  throw new EdrQueryError("z: should be one height of the wind, 10 to 100 metres above the surface");
}

/** Reads `crs`. @returns Whether latitude comes first, as in EPSG:4326. */
export function isLatitudeFirst(text: string | undefined): boolean {
  if (text === undefined || crs84Names.includes(text)) return false;
  if (text === "EPSG:4326" || text === EPSG4326) return true;
  throw new EdrQueryError("crs: should be CRS84 or EPSG:4326, which has the latitude first");
}

const DISTANCE = /^\s*(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s*$/;

/** Half the circumference of the Earth, km: no two places are farther apart. */
const MAX_KM = 20_016;

/** Reads a distance. @param name Name of the parameter. @returns km. */
export function readDistance(name: string, text: string, unit: keyof typeof distanceUnits): number {
  const km = DISTANCE.test(text) ? Number(text) * distanceUnits[unit] : Number.NaN;
  if (km <= MAX_KM) return km;
  throw new EdrQueryError(`${name}: should be a distance of 0 to ${MAX_KM} km`);
}

/** Times of a query, Unix seconds. An open end is infinite. */
interface TimeRange {
  from: number;
  to: number;
  /** The query states one time instead of a range. */
  isInstant: boolean;
}

const FORM = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+ -]\d{2}:\d{2})$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const expected =
  "should be a time such as 2026-01-01T00:00:00Z, a day such as 2026-01-01, or a range: 2026-01-01T00:00:00Z/2026-01-02T00:00:00Z, ../… or …/..";

/**
 * Reads the parameter `datetime` (RFC 3339, 5.6): an instant, a day, or an interval whose open ends are `..`
 * or empty. Seconds are optional, fractions of a second are dropped, time zone offsets are accepted. A day
 * means the whole UTC day.
 *
 * @returns All times if the parameter is absent.
 * @throws EdrQueryError for any other text.
 */
export function readDatetime(text: string | undefined): TimeRange {
  if (text === undefined) return { from: -Infinity, to: Infinity, isInstant: false };
  const parts = text.split("/", 3);
  if (parts.length === 1 && DAY.test(text.trim())) parts.push(text);
  if (parts.length === 1) {
    const at = instant(parts[0]!);
    return { from: at, to: at, isInstant: true };
  }
  if (parts.length > 2) throw new EdrQueryError(`datetime: ${expected}`);
  const [start = "", end = ""] = parts.map((part) => part.trim());
  if (start === "" && end === "") throw new EdrQueryError(`datetime: ${expected}`);
  const isOpen = (part: string) => part === ".." || part === "";
  const from = isOpen(start) ? -Infinity : instant(start);
  const to = isOpen(end) ? Infinity : instant(end, "23:59:59");
  if (from > to) throw new EdrQueryError("datetime: the start of a range should not be after its end");
  return { from, to, isInstant: false };
}

/** @param timeOfDay Time used if the text is a day only. */
function instant(text: string, timeOfDay = "00:00:00"): number {
  const whole = DAY.test(text.trim()) ? `${text.trim()}T${timeOfDay}Z` : text.trim();
  const [, day, minutes, seconds = "00", zone = "Z"] = FORM.exec(whole) ?? [];
  const local = day === undefined ? Number.NaN : parseInstant(`${day}T${minutes}:${seconds}Z`);
  const offset = offsetOf(zone);
  if (Number.isNaN(local - offset)) throw new EdrQueryError(`datetime: ${expected}`);
  return local - offset;
}

/**
 * Offset of a zone from UTC, seconds, positive to the east. A plus sign that was not encoded arrives as a
 * space.
 */
function offsetOf(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const [hours = Number.NaN, minutes = Number.NaN] = zone.slice(1).split(":").map(Number);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (3600 * hours + 60 * minutes);
}

/**
 * Reads the parameter `bbox`: west, south, east, north in degrees. A west edge that is east of the east edge
 * crosses the antimeridian; longitudes may be of the convention 0..360.
 *
 * @param isLatitudeFirst Whether the order is south, west, north, east.
 * @throws EdrQueryError for any other text.
 */
export function readBbox(text: string, isLatitudeFirst = false): Box {
  const parts = text.split(",", 7);
  const numbers = parts.map((part) => readDecimal(part.trim()) + 0);
  if (parts.length === 6) throw new EdrQueryError("bbox: heights are not supported: four numbers");
  if (parts.length !== 4 || numbers.some((number) => Number.isNaN(number)))
    throw new EdrQueryError("bbox: should be four numbers: west,south,east,north");
  const [first, second, third, fourth] = numbers as [number, number, number, number];
  const [west, south, east, north] = isLatitudeFirst
    ? [second, first, fourth, third]
    : [first, second, third, fourth];
  if (Math.min(west, east) < -180 || Math.max(west, east) > 360)
    throw new EdrQueryError("bbox: longitudes should be in −180..180, or in 0..360");
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    throw new EdrQueryError("bbox: latitudes should be in −90..90");
  if (south > north) throw new EdrQueryError("bbox: the south edge should not be north of the north edge");
  return withinGlobe({ west, south, east, north });
}

/** Normalises a box whose longitudes may lie beyond 180°. */
export function withinGlobe({ west, south, east, north }: Box): Box {
  if (east - west >= 360) return { west: -180, south, east: 180, north };
  return { west: westernOf(west), south, east: westernOf(east), north };
}

/** Normalises a longitude of −180..360 to −180..180. */
export const westernOf = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude);

/** A query breaks a rule of OGC API – EDR. The message is for the caller. */
export class EdrQueryError extends Error {
  override readonly name = "EdrQueryError";
}
