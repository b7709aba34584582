import { type CodedValues, OctetWriter, packComplex, packSimply } from "./packing.ts";

/** Level of a field: surface type (WMO code table 4.5) and the value of the level (metres for type 103). */
export interface Grib2Surface {
  type: number;
  value: number;
  /** Type of the second surface, for a layer between two surfaces. */
  to?: number;
  /**
   * Originating centre (common code table C-11) whose local table defines the type. Other messages name no
   * centre.
   */
  centre?: number;
}

/** A regular grid of latitudes and longitudes, degrees. */
interface MessageGrid {
  rows: number;
  columns: number;
  south: number;
  north: number;
  /** Longitudes of the first and the last column, in any convention. */
  west: number;
  east: number;
  /**
   * Distance between rows and between columns, more than 0 even for a single one, because eccodes requires
   * it.
   */
  latitudeStep: number;
  longitudeStep: number;
}

export type GribPacking = "simple" | "complex";

/** A member of an ensemble, or a statistic over its members; all of them weigh the same. */
export type EnsemblePart = {
  /** Number of forecasts in the ensemble, the control included. */
  of: number;
} & (
  | {
      /** Number of the member, 0 … 255; 0 is the control. */
      member: number;
    }
  | { statistic: keyof typeof derivedForecasts }
);

/** WMO code table 4.7. */
const derivedForecasts = { mean: 0, spread: 4 } as const;

/** One field at one instant. */
export interface GribMessage {
  /** Parameter by WMO code tables 0.0, 4.1 and 4.2. */
  discipline: number;
  category: number;
  number: number;
  surface: Grib2Surface;
  grid: MessageGrid;
  /**
   * Base time of the run, Unix seconds; undefined if no single run provides the field, in which case the
   * valid time is the reference time.
   */
  referenceTime: number | undefined;
  /** Valid time, Unix seconds, not before `referenceTime`; the end of the interval of a mean. */
  validTime: number;
  /**
   * Start of the interval whose mean the values are, Unix seconds, not before `referenceTime`; undefined for values at
   * an instant.
   */
  meanSince?: number | undefined;
  /** Undefined for a forecast that is not one of an ensemble. */
  ensemble?: EnsemblePart | undefined;
  /** Whether the values are synthetic. */
  synthetic: boolean;
  values: CodedValues;
}

const MISSING = 0xffff_ffff;
const MISSING_16 = 0xffff;
const MISSING_8 = 255;
/** Version of the WMO master tables. */
const TABLES = 28;
const SPHERE_OF_6371229_M = 6;
const MICRODEGREES = 1e6;
/** Flags: increments are given; vector components are towards east and north. */
const INCREMENTS_GIVEN = 0x30;
/** Octets of sections 0, 1, 3, 4 and 8, and of sections 5 and 6 in their usual size. */
export const HEAD_OCTETS = 16 + 21 + 72 + 34 + 21 + 6 + 5 + 4;

/**
 * Writes a message of GRIB edition 2 with one field: templates 3.0; 4.0, or 4.8 for a mean; 4.1 and 4.11 for a member of an
 * ensemble; 4.2 and 4.12 for a statistic over members; 5.0 or 5.3.
 */
export function gribMessage(message: GribMessage, packing: GribPacking = "simple"): Uint8Array {
  const { values, grid } = message;
  const { representation, data } = packing === "simple" ? packSimply(values) : packComplex(values);
  const { bitmap } = values;
  const sections = [
    identification(message),
    gridDefinition(grid),
    product(message),
    representation.section(5),
    new OctetWriter().unsigned8(bitmap ? 0 : MISSING_8).section(6, bitmap?.length),
    ...(bitmap ? [bitmap] : []),
    new OctetWriter().section(7, data.length),
    data,
  ];
  const length = sections.reduce((sum, bytes) => sum + bytes.length, 16 + 4);
  const out = new Uint8Array(length);
  out.set([0x47, 0x52, 0x49, 0x42, 255, 255, message.discipline, 2]);
  // The upper half of the length stays 0, because messages are shorter than 4 GiB.
  new DataView(out.buffer).setUint32(12, length);
  let at = 16;
  for (const bytes of sections) {
    out.set(bytes, at);
    at += bytes.length;
  }
  out.fill(0x37, at);
  return out;
}

/**
 * Section 1. This service is not in WMO's list of originating centres, so a centre is named only if a code belongs to
 * its local table.
 */
function identification({ surface, referenceTime, validTime, synthetic }: GribMessage): Uint8Array {
  const date = new Date((referenceTime ?? validTime) * 1000);
  return (
    new OctetWriter()
      .unsigned16(surface.centre ?? MISSING_16)
      .unsigned16(0)
      // There are no local tables. The reference time is the start of a forecast, or the valid time.
      .unsigned8(TABLES, 0, referenceTime === undefined ? 2 : 1)
      .unsigned16(date.getUTCFullYear())
      .unsigned8(date.getUTCMonth() + 1, date.getUTCDate())
      .unsigned8(date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds())
      // The status is operational or test products; the type of data is forecast.
      .unsigned8(synthetic ? 1 : 0, 1)
      .section(1)
  );
}

/** Section 3, template 3.0: rows north to south, each from west to east. */
function gridDefinition(grid: MessageGrid): Uint8Array {
  const { rows, columns, south, north, west, east } = grid;
  const micro = (degrees: number) => Math.round(degrees * MICRODEGREES);
  const longitude = (degrees: number) => micro(((degrees % 360) + 360) % 360) % (360 * MICRODEGREES);
  return (
    new OctetWriter()
      .unsigned8(0)
      .unsigned32(rows * columns)
      .unsigned8(0, 0)
      .unsigned16(0)
      .unsigned8(SPHERE_OF_6371229_M, MISSING_8)
      .unsigned32(MISSING)
      .unsigned8(MISSING_8)
      .unsigned32(MISSING)
      .unsigned8(MISSING_8)
      .unsigned32(MISSING)
      .unsigned32(columns, rows)
      // Angles are in millionths of a degree.
      .unsigned32(0, MISSING)
      .signed32(micro(north))
      .unsigned32(longitude(west))
      .unsigned8(INCREMENTS_GIVEN)
      .signed32(micro(south))
      .unsigned32(longitude(east))
      .unsigned32(micro(grid.longitudeStep), micro(grid.latitudeStep))
      .unsigned8(0)
      .section(3)
  );
}

const MINUTE_S = 60;
const HOUR_S = 3600;

/** Unit of code table 4.4 in which a span is a whole number, and that number. */
function inUnit(seconds: number): [unit: number, count: number] {
  if (seconds % HOUR_S === 0) return [1, seconds / HOUR_S];
  return seconds % MINUTE_S === 0 ? [0, seconds / MINUTE_S] : [13, seconds];
}

/** Types of processes that make a field (WMO code table 4.3). */
const [FORECAST, ENSEMBLE_FORECAST] = [2, 4];
/** Types of forecasts of an ensemble (WMO code table 4.6): the control of low resolution, and a member. */
const [CONTROL, PERTURBED] = [1, 3];

/** Section 4. The templates for the mean of an interval add it to those for an instant. */
function product(message: GribMessage): Uint8Array {
  const { category, number, surface, referenceTime, validTime, meanSince, ensemble } = message;
  const [atInstant, ofInterval] = !ensemble ? [0, 8] : "member" in ensemble ? [1, 11] : [2, 12];
  const [unit, lead] = inUnit((meanSince ?? validTime) - (referenceTime ?? validTime));
  const writer = new OctetWriter()
    .unsigned16(0)
    .unsigned16(meanSince === undefined ? atInstant : ofInterval)
    .unsigned8(category, number)
    // The process of the model is not in a centre's list.
    .unsigned8(ensemble ? ENSEMBLE_FORECAST : FORECAST, MISSING_8, MISSING_8)
    .unsigned16(0)
    .unsigned8(0, unit)
    .unsigned32(lead)
    .unsigned8(surface.type, Number.isInteger(surface.value) ? 0 : 2)
    .unsigned32(Number.isInteger(surface.value) ? surface.value : Math.round(surface.value * 100))
    .unsigned8(surface.to ?? MISSING_8, MISSING_8)
    .unsigned32(MISSING);
  if (ensemble && "member" in ensemble)
    writer.unsigned8(ensemble.member === 0 ? CONTROL : PERTURBED, ensemble.member, ensemble.of);
  else if (ensemble) writer.unsigned8(derivedForecasts[ensemble.statistic], ensemble.of);
  if (meanSince !== undefined) mean(writer, meanSince, validTime);
  return writer.section(4);
}

/** The octets of the templates 4.8, 4.11 and 4.12 for their interval: one interval, by its end and its length, and that it is averaged. */
function mean(writer: OctetWriter, from: number, to: number): void {
  const end = new Date(to * 1000);
  const [unit, length] = inUnit(to - from);
  writer
    .unsigned16(end.getUTCFullYear())
    .unsigned8(end.getUTCMonth() + 1, end.getUTCDate())
    .unsigned8(end.getUTCHours(), end.getUTCMinutes(), end.getUTCSeconds())
    .unsigned8(1)
    .unsigned32(0)
    // The process is an average (code table 4.10) over successive times of one forecast (4.11).
    .unsigned8(0, 2, unit)
    .unsigned32(length)
    .unsigned8(MISSING_8)
    .unsigned32(0);
}

/** A grid with a constant row and column spacing, and the mapping of an answer's values onto it. */
export interface RegularGrid extends MessageGrid {
  /** Column of the grid for each longitude of the answer; undefined if they are the same. */
  columnOf: Int32Array | undefined;
}

/** Tolerance of a coordinate, as a share of the step. */
const TOLERANCE = 1e-3;

/**
 * The regular grid that contains an answer's nodes. If a regional grid leaves a gap in a box around the
 * globe, the gap has columns too, which are missing everywhere.
 *
 * @param latitude Degrees north, ascending.
 * @param longitude Degrees east, west to east in any convention.
 * @throws RangeError if the nodes are not on a regular grid.
 */
export function regularGrid(latitude: Float64Array, longitude: Float64Array): RegularGrid {
  const travelled = longitude.map((value) => (((value - longitude[0]!) % 360) + 360) % 360);
  const across = stepOf(travelled);
  const along = stepOf(latitude);
  const columnOf = Int32Array.from(travelled, (value) => Math.round(value / across));
  const columns = columnOf.at(-1)! + 1;
  if (
    travelled.some(
      (value, i) => Math.abs(value / across - columnOf[i]!) > TOLERANCE * Math.max(1, columnOf[i]! / 10),
    )
  )
    throw new RangeError("The longitudes are not on a regular grid");
  return {
    rows: latitude.length,
    columns,
    south: latitude[0]!,
    north: latitude.at(-1)!,
    west: longitude[0]!,
    east: longitude.at(-1)!,
    latitudeStep: along,
    longitudeStep: across,
    columnOf: columns === longitude.length ? undefined : columnOf,
  };
}

/** Values of an answer on its regular grid, both (rows, columns) row-major; NaN = missing. */
export function onRegularGrid(grid: RegularGrid, values: Float64Array): Float64Array {
  const { columnOf, rows, columns } = grid;
  if (!columnOf) return values;
  const out = new Float64Array(rows * columns).fill(Number.NaN);
  for (let row = 0, at = 0; row < rows; row++)
    for (const column of columnOf) out[row * columns + column] = values[at++]!;
  return out;
}

/**
 * The smallest spacing; 1 for a single place. Without gaps it is computed from the first and last coordinate,
 * which has the least rounding error.
 */
function stepOf(ascending: Float64Array): number {
  const parts = ascending.length - 1;
  if (parts === 0) return 1;
  const mean = (ascending[parts]! - ascending[0]!) / parts;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i <= parts; i++) least = Math.min(least, ascending[i]! - ascending[i - 1]!);
  if (mean - least < TOLERANCE * mean) return mean;
  return (ascending[parts]! - ascending[0]!) / Math.round((ascending[parts]! - ascending[0]!) / least);
}
