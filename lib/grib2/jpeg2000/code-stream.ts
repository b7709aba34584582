import { Octets, UnreadableError } from "../octets.ts";

/** Most samples of an image. Decoding takes about twelve bytes per sample. */
const MAX_SAMPLES = 16 * 1024 * 1024;
/**
 * Most rows of an image. Combining the subbands has a cost for each row that does not depend on its length: one column of
 * 16 million samples took up to 18 s. NCEP writes all samples as one row, and a grid of 0.003° has 60,000 rows.
 */
const MAX_ROWS = 65_536;
/** Most bits of a sample; NCEP writes at most 16. */
const MAX_BITS = 24;
const MAX_LEVELS = 32;

const [SOC, SIZ, COD, QCD, QCC] = [0xff4f, 0xff51, 0xff52, 0xff5c, 0xff5d];
const [SOT, SOD, EOC] = [0xff90, 0xff93, 0xffd9];
/** Markers that change how packets are read and that no GRIB encoder writes. */
const unread: Readonly<Record<number, string>> = {
  65363: "a coding of its component",
  65374: "a region of interest",
  65375: "a change of the progression order",
  65376: "packed packet headers",
  65377: "packed packet headers",
};

/** Columns from x0 to before x1, and rows from y0 to before y1. */
export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Coding of the samples (T.800 A.6.1). */
interface Coding {
  levels: number;
  /** Size of the largest code block, logarithms to base 2. */
  blockSize: Size;
  isReversible: boolean;
  /** Sizes of precincts by resolution, logarithms to base 2. */
  precincts: readonly Size[];
}

type Size = readonly [width: number, height: number];

/** Quantisation of the coefficients (T.800 A.6.4). */
interface Quantisation {
  guardBits: number;
  /** Exponent and mantissa by band. A single pair is that of the coarsest band, from which the others are derived. */
  steps: readonly (readonly [exponent: number, mantissa: number])[];
  isDerived: boolean;
}

/** An image of one unsigned component in one tile, starting at its origin. */
export interface Picture {
  area: Area;
  bits: number;
  coding: Coding;
  quantisation: Quantisation;
  packets: Uint8Array;
}

/** Reads the markers of a code stream as GRIB encoders write it (T.800 annex A). */
export function parseCodeStream(bytes: Uint8Array, count: number): Picture {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== (SOC & 0xff))
    throw new UnreadableError("damaged: its values do not begin with a JPEG 2000 code stream");
  const octets = new Octets(bytes, "its JPEG 2000 code stream");
  if (octets.unsigned16(3) !== SIZ) throw damaged("lacks a size");
  const size = readSize(octets, count);
  const [main, tile]: [Header, Header] = [{}, {}];
  let at = 5 + octets.unsigned16(5);
  while (octets.unsigned16(at) !== SOT) at = readSegment(octets, at, main);
  const length = octets.unsigned32(at + 6);
  // A length of 0 means that this is the last part.
  const end = length === 0 ? bytes.length - 1 : at + length;
  at += 12;
  while (octets.unsigned16(at) !== SOD) at = readSegment(octets, at, tile);
  if (end < at + 2 || end > bytes.length) throw damaged("is cut off");
  const next = octets.unsigned16(end);
  if (next === SOT) throw notRead("tile parts");
  if (next !== EOC) throw damaged("does not end");
  const coding = tile.coding ?? main.coding;
  // The precedence follows T.800 A.6.5, in whatever order the markers come.
  const quantisation = tile.ofComponent ?? tile.quantisation ?? main.ofComponent ?? main.quantisation;
  if (!coding || !quantisation) throw damaged("does not say how it is coded");
  if (!quantisation.isDerived && quantisation.steps.length < 3 * coding.levels + 1)
    throw damaged("lacks quantisation steps");
  return { ...size, coding, quantisation, packets: bytes.subarray(at + 1, end - 1) };
}

export function damaged(what: string): UnreadableError {
  return new UnreadableError(`damaged: its JPEG 2000 picture ${what}`);
}

function notRead(what: string): UnreadableError {
  return new UnreadableError(`a JPEG 2000 picture with ${what} is not read`);
}

function readSize(octets: Octets, count: number): Pick<Picture, "area" | "bits"> {
  const at = (position: number) => octets.unsigned32(position);
  const [width, height] = [at(9) - at(17), at(13) - at(21)];
  const precision = octets.unsigned8(43);
  const isSubsampled = octets.unsigned8(44) !== 1 || octets.unsigned8(45) !== 1;
  const components = octets.unsigned16(41);
  if (width <= 0 || height <= 0 || width * height !== count || components !== 1 || isSubsampled)
    throw damaged(`of ${width} × ${height} does not hold ${count} values`);
  if (count > MAX_SAMPLES)
    throw new UnreadableError(`a JPEG 2000 picture of ${count} samples is too large to be read`);
  if (height > MAX_ROWS) throw notRead(`${height} rows`);
  if (at(17) + at(21) + at(33) + at(37) > 0 || at(25) < width || at(29) < height)
    throw notRead("tiles or an offset");
  const bits = (precision & 0x7f) + 1;
  const sign = precision >= 0x80 ? " with a sign" : "";
  // Numbers of GRIB2 are differences from the smallest value, and never negative.
  if (bits > MAX_BITS || sign !== "")
    throw new UnreadableError(`JPEG 2000 samples of ${bits} bits${sign} are not read`);
  return { area: { x0: 0, y0: 0, x1: width, y1: height }, bits };
}

/** The main header, or that of the tile. */
interface Header {
  coding?: Coding;
  quantisation?: Quantisation;
  /** Quantisation of its only component. Jasper, which NCEP uses, writes it into the header of the tile. */
  ofComponent?: Quantisation;
}

/** Reads a marker segment. @returns The offset of the next one. */
function readSegment(octets: Octets, at: number, header: Header): number {
  const marker = octets.unsigned16(at);
  const end = at + 2 + octets.unsigned16(at + 2);
  if (marker < 0xff00 || end < at + 4) throw damaged("has a malformed header");
  if (unread[marker]) throw notRead(unread[marker]);
  if (marker === COD) header.coding = readCoding(octets, at + 4);
  else if (marker === QCD) header.quantisation = readQuantisation(octets, at + 4, end);
  else if (marker === QCC) header.ofComponent = readQuantisation(octets, at + 5, end);
  return end;
}

function readCoding(octets: Octets, at: number): Coding {
  const flags = octets.unsigned8(at);
  // With one layer, the three orders that begin with a layer or a resolution are the same.
  if (octets.unsigned8(at + 1) > 2) throw notRead("packets in the order of places");
  const layers = octets.unsigned16(at + 2);
  if (layers === 0) throw damaged("has no layers");
  if (layers > 1) throw notRead(`${layers} layers`);
  if ((flags & 6) !== 0) throw notRead("marked packets");
  const levels = octets.unsigned8(at + 5);
  const blockSize = [octets.unsigned8(at + 6) + 2, octets.unsigned8(at + 7) + 2] as const;
  const style = octets.unsigned8(at + 8);
  const transformation = octets.unsigned8(at + 9);
  if (levels > MAX_LEVELS || Math.max(...blockSize) > 10 || blockSize[0] + blockSize[1] > 12)
    throw damaged("has code blocks that are too large");
  if (style > 0 || transformation > 1) throw notRead(`code blocks of style ${style}`);
  const precincts = Array.from({ length: levels + 1 }, (_, resolution): Size => {
    const sizes = (flags & 1) !== 0 ? octets.unsigned8(at + 10 + resolution) : 0xff;
    return [sizes & 15, sizes >> 4];
  });
  if (precincts.some((size, resolution) => resolution > 0 && Math.min(...size) === 0))
    throw damaged("has precincts without samples");
  return { levels, blockSize, isReversible: transformation === 1, precincts };
}

function readQuantisation(octets: Octets, at: number, end: number): Quantisation {
  const style = octets.unsigned8(at) & 31;
  const guardBits = octets.unsigned8(at) >> 5;
  if (style > 2) throw damaged("is quantised in an unknown way");
  const size = style === 0 ? 1 : 2;
  const steps = Array.from({ length: Math.floor((end - at - 1) / size) }, (_, band) => {
    if (style === 0) return [octets.unsigned8(at + 1 + band) >> 3, 0] as const;
    const step = octets.unsigned16(at + 1 + 2 * band);
    return [step >> 11, step & 0x7ff] as const;
  });
  if (steps.length === 0) throw damaged("lacks quantisation steps");
  return { guardBits, steps, isDerived: style === 1 };
}
