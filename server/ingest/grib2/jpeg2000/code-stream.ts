import { UnreadableError } from "#server/ingest/grib2/octets.ts";
import { Octets } from "../octets.ts";

/** Decoding takes about twelve bytes a sample: larger images are rejected. */
const MAX_SAMPLES = 16 * 1024 * 1024;
const MAX_TILES = 1024;
/** Of a sample: NCEP writes at most 16. */
const MAX_BITS = 24;
const MAX_LEVELS = 32;

const [SOC, SIZ, COD, COC, QCD, QCC] = [0xff4f, 0xff51, 0xff52, 0xff53, 0xff5c, 0xff5d];
const [SOT, SOD, EOC] = [0xff90, 0xff93, 0xffd9];
/** Markers that change how packets are read, and that no encoder of GRIB writes. */
const unread: Readonly<Record<number, string>> = {
  65374: "a region of interest",
  65375: "a change of the progression order",
  65376: "packed packet headers",
  65377: "packed packet headers",
};

/** Columns from x0 and rows from y0, up to x1 and y1 exclusive. */
export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** How the samples of a tile are coded (T.800 A.6.1). */
export interface Coding {
  hasPacketMarkers: boolean;
  hasHeaderEnds: boolean;
  /** T.800 table A.16. */
  progression: number;
  layers: number;
  levels: number;
  /** Largest code block, logarithms to base 2. */
  blockSize: Size;
  /** Flags of code-block.ts. */
  style: number;
  isReversible: boolean;
  /** By resolution, logarithms to base 2. */
  precincts: readonly Size[];
}

type Size = readonly [width: number, height: number];

/** How coefficients are quantised (T.800 A.6.4). */
interface Quantisation {
  guardBits: number;
  /** Exponent and mantissa by band. One alone is that of the coarsest band, from which the others follow. */
  steps: readonly (readonly [exponent: number, mantissa: number])[];
  isDerived: boolean;
}

export interface Tile {
  area: Area;
  coding: Coding;
  quantisation: Quantisation;
  /** The packets, in one piece or in several. */
  parts: Uint8Array[];
}

interface CodeStream {
  image: Area;
  bits: number;
  tiles: Tile[];
}

/** Reads the markers of a code stream with one unsigned component (T.800 annex A). */
export function parseCodeStream(bytes: Uint8Array, count: number): CodeStream {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== (SOC & 0xff))
    throw new UnreadableError("damaged: its values do not begin with a JPEG 2000 code stream");
  const octets = new Octets(bytes, "its JPEG 2000 code stream");
  if (octets.unsigned16(3) !== SIZ) throw damaged("lacks a size");
  const size = readSize(octets, count);
  const main: Header = {};
  const tiles: (Tile | undefined)[] = [];
  let at = 5 + octets.unsigned16(5);
  for (let marker = octets.unsigned16(at); marker !== EOC; marker = octets.unsigned16(at)) {
    if (marker !== SOT) {
      at = readSegment(octets, at, main);
      continue;
    }
    const index = octets.unsigned16(at + 4);
    const length = octets.unsigned32(at + 6);
    // Without a length it is the last part.
    const end = length === 0 ? bytes.length - 1 : at + length;
    const header: Header = {};
    at += 12;
    while (octets.unsigned16(at) !== SOD) at = readSegment(octets, at, header);
    if (end < at + 2 || end > bytes.length) throw damaged("is cut off");
    const tile = tiles[index] ?? { ...parameters(header, main), area: tileArea(size, index), parts: [] };
    tiles[index] = tile;
    tile.parts.push(bytes.subarray(at + 1, end - 1));
    at = end;
  }
  const found = tiles.filter((tile) => tile !== undefined);
  if (found.length !== size.columns * size.rows) throw damaged("lacks tiles");
  return { image: size.image, bits: size.bits, tiles: found };
}

export function damaged(what: string): UnreadableError {
  return new UnreadableError(`damaged: its JPEG 2000 picture ${what}`);
}

interface PictureSize {
  image: Area;
  bits: number;
  /** The first tile, of which a part may lie outside of the image. */
  tile: Area;
  columns: number;
  rows: number;
}

function readSize(octets: Octets, count: number): PictureSize {
  const area = (at: number, x0: number, y0: number) => ({
    x0,
    y0,
    x1: octets.unsigned32(at),
    y1: octets.unsigned32(at + 4),
  });
  const image = area(9, octets.unsigned32(17), octets.unsigned32(21));
  const tile = area(25, octets.unsigned32(33), octets.unsigned32(37));
  tile.x1 += tile.x0;
  tile.y1 += tile.y0;
  const [width, height] = [image.x1 - image.x0, image.y1 - image.y0];
  const precision = octets.unsigned8(43);
  const isSubsampled = octets.unsigned8(44) !== 1 || octets.unsigned8(45) !== 1;
  const components = octets.unsigned16(41);
  if (width <= 0 || height <= 0 || width * height !== count || components !== 1 || isSubsampled)
    throw damaged(`of ${width} × ${height} does not hold ${count} values`);
  const columns = Math.ceil((image.x1 - tile.x0) / (tile.x1 - tile.x0));
  const rows = Math.ceil((image.y1 - tile.y0) / (tile.y1 - tile.y0));
  if (count > MAX_SAMPLES || !(columns * rows <= MAX_TILES))
    throw new UnreadableError(
      `a JPEG 2000 picture of ${count} samples in ${columns * rows} tiles is too large to be read`,
    );
  if (tile.x0 > image.x0 || tile.y0 > image.y0 || tile.x1 <= image.x0 || tile.y1 <= image.y0)
    throw damaged("begins outside of its first tile");
  const bits = (precision & 0x7f) + 1;
  const sign = precision >= 0x80 ? " with a sign" : "";
  // Numbers of GRIB2 are differences from the least value, and never negative.
  if (bits > MAX_BITS || sign !== "")
    throw new UnreadableError(`JPEG 2000 samples of ${bits} bits${sign} are not read`);
  return { image, bits, tile, columns, rows };
}

function tileArea({ image, tile, columns, rows }: PictureSize, index: number): Area {
  if (index >= columns * rows) throw damaged("has too many tiles");
  const right = (index % columns) * (tile.x1 - tile.x0);
  const down = Math.floor(index / columns) * (tile.y1 - tile.y0);
  return {
    x0: Math.max(image.x0, tile.x0 + right),
    y0: Math.max(image.y0, tile.y0 + down),
    x1: Math.min(image.x1, tile.x1 + right),
    y1: Math.min(image.y1, tile.y1 + down),
  };
}

/** What the headers of the picture and of a tile say. What is said of the component outweighs the default. */
interface Header {
  order?: Pick<Coding, "hasPacketMarkers" | "hasHeaderEnds" | "progression" | "layers">;
  coding?: Blocks;
  componentCoding?: Blocks;
  quantisation?: Quantisation;
  componentQuantisation?: Quantisation;
}

type Blocks = Pick<Coding, "levels" | "blockSize" | "style" | "isReversible" | "precincts">;

function parameters(tile: Header, main: Header): Pick<Tile, "coding" | "quantisation"> {
  const order = tile.order ?? main.order;
  const blocks = tile.componentCoding ?? tile.coding ?? main.componentCoding ?? main.coding;
  const quantisation =
    tile.componentQuantisation ?? tile.quantisation ?? main.componentQuantisation ?? main.quantisation;
  if (!order || !blocks || !quantisation) throw damaged("does not say how it is coded");
  if (!quantisation.isDerived && quantisation.steps.length < 3 * blocks.levels + 1)
    throw damaged("lacks quantisation steps");
  return { coding: { ...order, ...blocks }, quantisation };
}

/** Reads a marker segment. @returns Where the next one begins. */
function readSegment(octets: Octets, at: number, header: Header): number {
  const marker = octets.unsigned16(at);
  const end = at + 2 + octets.unsigned16(at + 2);
  if (marker < 0xff00 || end < at + 4) throw damaged("has a malformed header");
  if (unread[marker]) throw new UnreadableError(`a JPEG 2000 picture with ${unread[marker]} is not read`);
  if (marker === COD) {
    const style = octets.unsigned8(at + 4);
    header.order = {
      hasPacketMarkers: (style & 2) !== 0,
      hasHeaderEnds: (style & 4) !== 0,
      progression: octets.unsigned8(at + 5),
      layers: octets.unsigned16(at + 6),
    };
    if (header.order.layers === 0) throw damaged("has no layers");
    header.coding = readBlocks(octets, at + 9, (style & 1) !== 0);
  } else if (marker === COC) {
    header.componentCoding = readBlocks(octets, at + 6, (octets.unsigned8(at + 5) & 1) !== 0);
  } else if (marker === QCD) header.quantisation = readQuantisation(octets, at + 4, end);
  else if (marker === QCC) header.componentQuantisation = readQuantisation(octets, at + 5, end);
  return end;
}

function readBlocks(octets: Octets, at: number, hasPrecincts: boolean): Blocks {
  const levels = octets.unsigned8(at);
  const blockSize = [octets.unsigned8(at + 1) + 2, octets.unsigned8(at + 2) + 2] as const;
  const style = octets.unsigned8(at + 3);
  const transformation = octets.unsigned8(at + 4);
  if (levels > MAX_LEVELS || Math.max(...blockSize) > 10 || blockSize[0] + blockSize[1] > 12)
    throw damaged("has code blocks that are too large");
  if (style > 0x3f || transformation > 1)
    throw new UnreadableError(`JPEG 2000 code blocks of style ${style} are not read`);
  const precincts = Array.from({ length: levels + 1 }, (_, resolution): Size => {
    const sizes = hasPrecincts ? octets.unsigned8(at + 5 + resolution) : 0xff;
    return [sizes & 15, sizes >> 4];
  });
  if (precincts.some((size, resolution) => resolution > 0 && Math.min(...size) === 0))
    throw damaged("has precincts without samples");
  return { levels, blockSize, style, isReversible: transformation === 1, precincts };
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
