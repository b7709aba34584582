import type { EnsemblePart } from "#server/ingest/ensemble-part.ts";
import { OctetWriter } from "./octet-writer.ts";

/** Nodes of a regular grid in the order of a file, degrees. */
export interface FileGrid {
  rows: number;
  columns: number;
  /** Latitude of the first node, north or south, and the signed step to the next row. */
  latitude: number;
  latitudeStep: number;
  longitude: number;
  longitudeStep: number;
}

export interface Surface {
  /** WMO code table 4.5. */
  type: number;
  value?: number;
}

export interface Parameter {
  /** Discipline, category, number: code table 4.2. */
  code: readonly [number, number, number];
  surface: Surface;
  second?: Surface;
}

/** Validity of a field, Unix seconds. */
export interface Validity {
  cycle: number;
  /** Start and end; equal for a field at an instant. */
  from: number;
  to: number;
  statistic?: "average" | "accumulation" | "maximum";
}

/** The part of an ensemble of some members that a field is. */
export interface Ensemble {
  part: EnsemblePart;
  size: number;
}

export interface Centre {
  /** Common code table C-11: 7 NCEP, 98 ECMWF. */
  code: number;
  tablesVersion: number;
  localTablesVersion: number;
  /** Generating process. */
  process: number;
}

/** Sections 5, 6 and 7: representation of the values, bitmap, and the values. */
export type PackedSections = readonly Uint8Array[];

const statistics = { average: 0, accumulation: 1, maximum: 2 } as const;
const HOUR_S = 3600;
const END = Uint8Array.of(0x37, 0x37, 0x37, 0x37);

/**
 * A complete GRIB2 message: grid template 3.0, product template 4.0 at an instant or 4.8 over a window, or those of members of
 * an ensemble (4.1, 4.11) and of statistics over them (4.2, 4.12).
 */
export function gribMessage(
  centre: Centre,
  grid: FileGrid,
  parameter: Parameter,
  validity: Validity,
  packed: PackedSections,
  ensemble?: Ensemble,
): Uint8Array {
  const sections = [
    identification(centre, validity.cycle),
    gridDefinition(grid),
    product(centre, parameter, validity, ensemble),
    ...packed,
    END,
  ];
  const length = 16 + sections.reduce((sum, { length }) => sum + length, 0);
  const indicator = new OctetWriter()
    .unsigned(4, 0x47524942)
    .missing(2)
    .unsigned(1, parameter.code[0], 2)
    .unsigned(8, length);
  return Buffer.concat([indicator.done(), ...sections]);
}

/** Length of a message whose sections 5 to 7 have a given length, octets. */
export function messageLength(validity: Validity, packed: number, ensemble?: Ensemble): number {
  const more = !ensemble ? 0 : typeof ensemble.part === "number" ? 3 : 2;
  return 16 + 21 + 72 + (validity.statistic === undefined ? 34 : 58) + more + packed + 4;
}

function identification({ code, tablesVersion, localTablesVersion }: Centre, cycle: number): Uint8Array {
  return new OctetWriter()
    .unsigned(2, code, 0)
    .unsigned(1, tablesVersion, localTablesVersion, 1)
    .instant(cycle)
    .unsigned(1, 0, 1)
    .section(1);
}

/** Angles are whole millionths of a degree, and longitudes are from 0 to 360. */
function gridDefinition(grid: FileGrid): Uint8Array {
  const { rows, columns, latitude, latitudeStep, longitude, longitudeStep } = grid;
  const micro = (degrees: number) => Math.round(degrees * 1e6);
  const east = (degrees: number) => micro(((degrees % 360) + 360) % 360);
  return new OctetWriter()
    .unsigned(1, 0)
    .unsigned(4, rows * columns)
    .unsigned(1, 0, 0)
    .unsigned(2, 0)
    .unsigned(1, 6, 0)
    .missing(4)
    .unsigned(1, 0)
    .missing(4)
    .unsigned(1, 0)
    .missing(4)
    .unsigned(4, columns, rows, 0)
    .missing(4)
    .signed(4, micro(latitude))
    .unsigned(4, east(longitude))
    .unsigned(1, 0x30)
    .signed(4, micro(latitude + (rows - 1) * latitudeStep))
    .unsigned(4, east(longitude + (columns - 1) * longitudeStep))
    .unsigned(4, micro(longitudeStep), micro(Math.abs(latitudeStep)))
    .unsigned(1, latitudeStep > 0 ? 0x40 : 0)
    .section(3);
}

function product(
  centre: Centre,
  { code, surface, second }: Parameter,
  validity: Validity,
  ensemble: Ensemble | undefined,
): Uint8Array {
  const { cycle, from, to, statistic } = validity;
  const [atInstant, overWindow] = !ensemble ? [0, 8] : typeof ensemble.part === "number" ? [1, 11] : [2, 12];
  const writer = new OctetWriter()
    .unsigned(2, 0, statistic === undefined ? atInstant! : overWindow!)
    .unsigned(1, code[1], code[2], 2, 0, centre.process)
    .unsigned(2, 0)
    .unsigned(1, 0, 1)
    .unsigned(4, (from - cycle) / HOUR_S);
  writeSurface(writer, surface);
  writeSurface(writer, second);
  if (ensemble && typeof ensemble.part === "number")
    writer.unsigned(1, ensemble.part === 0 ? 1 : 3, ensemble.part, ensemble.size);
  else if (ensemble) writer.unsigned(1, ensemble.part === "mean" ? 0 : 4, ensemble.size);
  if (statistic === undefined) return writer.section(4);
  return writer
    .instant(to)
    .unsigned(1, 1)
    .unsigned(4, 0)
    .unsigned(1, statistics[statistic], 2, 1)
    .unsigned(4, (to - from) / HOUR_S)
    .unsigned(1, 255)
    .unsigned(4, 0)
    .section(4);
}

function writeSurface(writer: OctetWriter, surface: Surface | undefined): void {
  if (surface === undefined) writer.unsigned(1, 255).missing(5);
  else if (surface.value === undefined) writer.unsigned(1, surface.type).missing(5);
  else writer.unsigned(1, surface.type, 0).signed(4, surface.value);
}
