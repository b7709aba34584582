import type { Grid } from "@open-metocean/geo/grid";
import type { ByteRange, ByteSource } from "./byte-source.ts";
import { MISSING_32, type Octets, UnreadableError } from "./octets.ts";

/** Content of the indicator section of a GRIB message. */
export interface GribMessage {
  offset: number;
  edition: number;
  discipline: number;
  /** Total length that the message states, bytes. */
  length: number;
  /** Reason why the bytes up to `length` are not one message: the file ends before, or the end mark is missing. */
  damage: string | undefined;
}

const END_MARK = 0x37373737;
const SEARCH_WINDOW = 1 << 20;

/** Length that separates a bulletin heading between two messages, which is shorter, from a message, octets. */
const LONGEST_HEADING = 100;

/**
 * Finds the next message at or after `from`.
 *
 * @returns undefined if there is none before the end of the file.
 */
export function findMessage(source: ByteSource, from: number): GribMessage | undefined {
  let offset = from;
  while (offset + 8 <= source.size) {
    const bytes = source.read(offset, offset === from ? 16 : SEARCH_WINDOW);
    const last = bytes.length - 8;
    for (let at = 0; at <= last; at++) {
      if (bytes[at] !== 0x47 || bytes[at + 1] !== 0x52 || bytes[at + 2] !== 0x49 || bytes[at + 3] !== 0x42)
        continue;
      const edition = bytes[at + 7]!;
      // With any other edition the four letters are a coincidence, unless a message must begin here.
      if (edition === 1 || edition === 2 || offset + at === from) return readIndicator(source, offset + at);
    }
    offset += Math.max(last, 0) + 1;
  }
  return undefined;
}

function readIndicator(source: ByteSource, offset: number): GribMessage {
  const head = source.read(offset, 16);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const edition = view.getUint8(7);
  let length = 0;
  if (edition === 1) length = view.getUint32(4) >>> 8;
  else if (edition === 2 && head.length === 16) length = Number(view.getBigUint64(8));
  const message = { offset, edition, discipline: view.getUint8(6), length };
  return { ...message, damage: damageOf(source, message) };
}

function damageOf(
  source: ByteSource,
  { offset, edition, length }: Omit<GribMessage, "damage">,
): string | undefined {
  const left = source.size - offset;
  if (edition !== 1 && edition !== 2) return `GRIB edition ${edition} does not exist`;
  if (left < 16) return "truncated: the file ends in its first section";
  if (length < 20) return `its length of ${length} octets is not possible`;
  if (length > left) return `truncated: it is ${length} octets long, of which the file has ${left}`;
  const end = source.read(offset + length - 4, 4);
  const mark = new DataView(end.buffer, end.byteOffset, end.byteLength);
  if (end.length < 4 || mark.getUint32(0) !== END_MARK) return "damaged: it does not end with 7777";
  return undefined;
}

/** Describes bytes between messages if they are more than a heading or padding; else undefined. */
export function describeGap(source: ByteSource, from: number, to: number): string | undefined {
  if (to - from >= LONGEST_HEADING) return `${to - from} octets from ${from} on are not GRIB`;
  // A download may stop in the first letters of a message.
  const tail = String.fromCharCode(...source.read(Math.max(from, to - 7), Math.min(7, to - from)));
  if (to === source.size && /G(R(I(B.{0,3})?)?)?$/s.test(tail))
    return "truncated: the file ends in its first section";
  return undefined;
}

/** One section of a GRIB2 message. */
export interface Section {
  number: number;
  offset: number;
  /** Length in octets, including the five of its head. */
  length: number;
}

/**
 * Reads the head of the section at `offset`.
 *
 * @param end First octet after the message's last section: that of the end mark.
 */
export function readSectionHead(source: ByteSource, offset: number, end: number): Section {
  if (offset + 5 > end) throw new UnreadableError("its sections do not add up to its length");
  const bytes = source.read(offset, 5);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const number = bytes[4]!;
  if (length < 5 || offset + length > end) {
    throw new UnreadableError(`damaged: section ${number} is said to be ${length} octets long`);
  }
  return { number, offset, length };
}

/** Order of the values of a field in the message, relative to that of `Grid`. */
export interface Scan {
  columns: number;
  rows: number;
  /** Whether rows run from east to west. */
  westward: boolean;
  /** Whether columns run from south to north. */
  northward: boolean;
  /** Whether values are stored column by column. */
  byColumn: boolean;
  /** Whether every second row (or column) runs in the opposite direction. */
  serpentine: boolean;
  /** First column of the grid, counted eastward from the western edge of the message. */
  firstColumn: number;
}

/** One field of a GRIB2 file: its meaning, its grid, and where its values are in the file. */
export interface Grib2Field {
  /** Number of the message in the file, from 1. */
  message: number;
  /** Number of the field in its message, from 1. */
  part: number;
  /** Range of the whole message in the file, bytes. */
  offset: number;
  length: number;
  /** WMO code table 0.0. */
  discipline: number;
  /** WMO code table 4.1. */
  category: number;
  /** WMO code table 4.2. */
  parameter: number;
  level: Surface;
  /** The other bound of a layer. */
  level2: Surface | undefined;
  /** Start of the forecast, Unix seconds. */
  referenceTime: number;
  time: FieldTime;
  ensemble: Ensemble | undefined;
  /** Undefined for a field that is about waves of all periods, or not about waves. */
  periodRange: PeriodRange | undefined;
  /** The grid of the field. For a grid that is not regular, it is the regular one that the field is interpolated to. */
  grid: Grid;
  /**
   * Description of a grid that is not regular, and whether components of vectors are relative to its columns and rows.
   */
  projected: { section: ByteRange; isGridRelative: boolean } | undefined;
  scan: Scan;
  packing: Packing;
  /** Number of coded values: the points of the grid, minus those masked by the bitmap. */
  coded: number;
  /** Range of the bitmap in the file, one bit per point; undefined if every point has a value. */
  bitmap: ByteRange | undefined;
  /** Range of the packed values in the file. */
  data: ByteRange;
}

/** A fixed surface: its type (WMO code table 4.5) and its value in that type's unit; 0 if the type needs none. */
interface Surface {
  type: number;
  value: number;
}

/** Validity of a field, Unix seconds: `start` and `end` are equal, or bound the window of a statistic. */
interface FieldTime {
  kind: "instant" | "average" | "accumulation" | "maximum" | "minimum" | "other";
  start: number;
  end: number;
}

/** One member of an ensemble, or a statistic over it. */
type Ensemble =
  | {
      kind: "member";
      /** Number of the perturbation; 0 for the control, whose forecast begins without one. */
      number: number;
      /** Number of forecasts in the ensemble, as the producer counts them. */
      of: number;
    }
  | {
      kind: "derived";
      /** WMO code table 4.7: 0 is the mean of all members, 4 their spread. */
      code: number;
      of: number;
    };

/** Range of the periods of the waves that a field is about, s; a bound that is not stated is undefined. */
interface PeriodRange {
  from: number | undefined;
  to: number | undefined;
}

type Product = Pick<
  Grib2Field,
  "category" | "parameter" | "level" | "level2" | "time" | "ensemble" | "periodRange"
>;

const NO_SURFACE = 255;

/** First octet of the description of the statistic; undefined for a product at an instant. */
const statisticOctet = new Map([
  [0, undefined],
  [1, undefined],
  [2, undefined],
  [8, 35],
  [11, 38],
  [12, 37],
  [103, undefined],
]);

const PERIOD_RANGE_TEMPLATE = 103;
/** Octets that the range of periods adds after the parameter. */
const PERIOD_RANGE_OCTETS = 11;

const statistics = ["average", "accumulation", "maximum", "minimum"] as const;

/** Seconds in a unit of WMO code table 4.4. Months and longer units have no fixed length. */
const unitSeconds: Readonly<Record<number, number>> = {
  0: 60,
  1: 3600,
  2: 86400,
  10: 3 * 3600,
  11: 6 * 3600,
  12: 12 * 3600,
  13: 1,
};

/**
 * Reads section 4: product templates 4.0, 4.1, 4.2, 4.103 (at an instant) and 4.8, 4.11, 4.12 (over a window).
 *
 * @param referenceTime Unix seconds.
 */
export function readProduct(section: Octets, referenceTime: number): Product {
  const template = section.unsigned16(8);
  if (!statisticOctet.has(template)) {
    throw new UnreadableError(
      `product template 4.${template} is not read (only 4.0, 4.1, 4.2, 4.8, 4.11, 4.12 and 4.103)`,
    );
  }
  const added = template === PERIOD_RANGE_TEMPLATE ? PERIOD_RANGE_OCTETS : 0;
  const start = referenceTime + forecastSeconds(section, 18 + added);
  const statistic = statisticOctet.get(template);
  const level = readSurface(section, 23 + added);
  return {
    category: section.unsigned8(10),
    parameter: section.unsigned8(11),
    level: level ?? { type: NO_SURFACE, value: 0 },
    level2: readSurface(section, 29 + added),
    time:
      statistic === undefined
        ? { kind: "instant", start, end: start }
        : readWindow(section, statistic, start),
    ensemble: readEnsemble(section, template),
    periodRange: added > 0 ? readPeriodRange(section) : undefined,
  };
}

/** Reads year, month, day, hour, minute and second from seven octets. @returns Unix seconds. */
export function readInstant(section: Octets, octet: number): number {
  const [year, month] = [section.unsigned16(octet), section.unsigned8(octet + 2)];
  const [day, hour] = [section.unsigned8(octet + 3), section.unsigned8(octet + 4)];
  const minute = section.unsigned8(octet + 5);
  // Some producers encode the seconds as missing.
  const second = section.unsigned8(octet + 6) === 255 ? 0 : section.unsigned8(octet + 6);
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const real = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
  if (!real || hour > 23 || minute > 59 || second > 60 || year < 1600) {
    throw new UnreadableError(`its time ${year}-${month}-${day} ${hour}:${minute}:${second} does not exist`);
  }
  return instant.getTime() / 1000;
}

/** @param octet Place of the unit, which precedes the number. */
function forecastSeconds(section: Octets, octet: number): number {
  const unit = section.unsigned8(octet);
  const count = section.unsigned32(octet + 1);
  if (count === MISSING_32 || count === 0) return 0;
  const seconds = unitSeconds[unit];
  if (seconds === undefined)
    throw new UnreadableError(`the unit of its forecast time (code ${unit}) is not read`);
  return section.signed32(octet + 1) * seconds;
}

/** The range of periods of template 4.103; undefined without bounds, where it is that of all waves. */
function readPeriodRange(section: Octets): PeriodRange | undefined {
  const [from, to] = [readScaled(section, 13), readScaled(section, 18)];
  return from === undefined && to === undefined ? undefined : { from, to };
}

function readSurface(section: Octets, octet: number): Surface | undefined {
  const type = section.unsigned8(octet);
  if (type === NO_SURFACE) return undefined;
  // Surfaces such as the ground need no value; some centres write 0, others "missing".
  return { type, value: readScaled(section, octet + 1) ?? 0 };
}

/** A number and its decimal scale, which precedes it; undefined for "missing". */
function readScaled(section: Octets, octet: number): number | undefined {
  if (section.unsigned8(octet) === 255 || section.unsigned32(octet + 1) === MISSING_32) return undefined;
  const factor = section.signed8(octet);
  const scaled = section.signed32(octet + 1);
  return factor > 0 ? scaled / 10 ** factor : scaled * 10 ** -factor;
}

function readWindow(section: Octets, octet: number, start: number): FieldTime {
  const end = readInstant(section, octet);
  const ranges = section.unsigned8(octet + 7);
  if (ranges === 0 || end < start) throw new UnreadableError("its time window ends before it starts");
  const process = section.unsigned8(octet + 12);
  // Nested statistics, such as an average of accumulations, have no kind of their own.
  const kind = ranges === 1 ? (statistics[process] ?? "other") : "other";
  return { kind, start, end };
}

/** Types of forecasts that begin without a perturbation (WMO code table 4.6): controls of high and of low resolution. */
const CONTROLS = [0, 1];

function readEnsemble(section: Octets, template: number): Ensemble | undefined {
  if (template === 1 || template === 11) {
    // Producers differ in the number of the control.
    const number = CONTROLS.includes(section.unsigned8(35)) ? 0 : section.unsigned8(36);
    return { kind: "member", number, of: section.unsigned8(37) };
  }
  if (template === 2 || template === 12)
    return { kind: "derived", code: section.unsigned8(35), of: section.unsigned8(36) };
  return undefined;
}

/** value = (reference + binaryFactor · coded) · decimalFactor. */
export interface Scaling {
  reference: number;
  binaryFactor: number;
  decimalFactor: number;
  /** Bits per coded number; 0 if every value is the reference. */
  bits: number;
}

export interface ComplexPacking extends Scaling {
  kind: "complex";
  /** Number of codes for missing values. */
  missingCodes: 0 | 1 | 2;
  groups: number;
  widthReference: number;
  widthBits: number;
  lengthReference: number;
  lengthIncrement: number;
  lastLength: number;
  lengthBits: number;
  /** Order of spatial differencing. */
  order: 0 | 1 | 2;
  /** Octets of each first value and of the smallest difference. */
  extraOctets: number;
}

export interface CcsdsPacking extends Scaling {
  kind: "ccsds";
  flags: number;
  blockSize: number;
  /** Blocks between two reference samples. */
  referenceInterval: number;
}

/** Coding of the numbers of a field, from section 5. */
export type Packing =
  | ({ kind: "simple" | "jpeg2000" | "png" } & Scaling)
  | ComplexPacking
  | CcsdsPacking
  | { kind: "ieee"; bytes: 4 | 8 };

/**
 * Reads section 5: templates 5.0, 5.2, 5.3, 5.4, 5.40, 5.41, 5.42, and 5.40000 and 5.40010, which are older numbers of
 * 5.40 and 5.41.
 */
export function readPacking(section: Octets): Packing {
  const template = section.unsigned16(10);
  switch (template) {
    case 0:
      return { kind: "simple", ...readScaling(section) };
    case 2:
    case 3:
      return readComplex(section, template);
    case 4: {
      const precision = section.unsigned8(12);
      if (precision === 1 || precision === 2) return { kind: "ieee", bytes: precision === 1 ? 4 : 8 };
      throw new UnreadableError(`IEEE numbers of precision ${precision} are not read (only 32 and 64 bits)`);
    }
    case 40:
    case 40000:
      return { kind: "jpeg2000", ...readScaling(section) };
    case 41:
    case 40010:
      return { kind: "png", ...readScaling(section) };
    case 42:
      return {
        kind: "ccsds",
        ...readScaling(section),
        flags: section.unsigned8(22),
        blockSize: section.unsigned8(23),
        referenceInterval: section.unsigned16(24),
      };
    default:
      throw new UnreadableError(
        `data template 5.${template} is not read (only 5.0, 5.2, 5.3, 5.4, 5.40, 5.41 and 5.42)`,
      );
  }
}

function readScaling(section: Octets): Scaling {
  const reference = section.float32(12);
  const binary = section.signed16(16);
  const decimal = section.signed16(18);
  const bits = section.unsigned8(20);
  if (!Number.isFinite(reference) || Math.abs(binary) > 500 || Math.abs(decimal) > 100) {
    throw new UnreadableError(
      `its scaling (${reference}, 2^${binary}, 10^${-decimal}) is not that of real values`,
    );
  }
  if (bits > 32) throw new UnreadableError(`numbers of ${bits} bits are not read (at most 32)`);
  return { reference, binaryFactor: 2 ** binary, decimalFactor: 10 ** -decimal, bits };
}

function readComplex(section: Octets, template: 2 | 3): ComplexPacking {
  const missingCodes = section.unsigned8(23);
  if (missingCodes !== 0 && missingCodes !== 1 && missingCodes !== 2) {
    throw new UnreadableError(`its management of missing values (code ${missingCodes}) is unknown`);
  }
  const order = template === 3 ? section.unsigned8(48) : 0;
  // eccodes writes 5.3 with order 0, which is the same as 5.2.
  if (order !== 0 && order !== 1 && order !== 2) {
    throw new UnreadableError(`spatial differences of order ${order} are not read (only 1 and 2)`);
  }
  const extraOctets = template === 3 ? section.unsigned8(49) : 0;
  const widthBits = section.unsigned8(37);
  const lengthBits = section.unsigned8(47);
  if (extraOctets > 4 || widthBits > 32 || lengthBits > 32) {
    throw new UnreadableError("the widths of its groups are not possible");
  }
  return {
    kind: "complex",
    ...readScaling(section),
    missingCodes,
    groups: section.unsigned32(32),
    widthReference: section.unsigned8(36),
    widthBits,
    lengthReference: section.unsigned32(38),
    lengthIncrement: section.unsigned8(42),
    lastLength: section.unsigned32(43),
    lengthBits,
    order,
    extraOctets,
  };
}
