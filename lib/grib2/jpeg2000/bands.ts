import { UnreadableError } from "../octets.ts";
import type { CodeBlock, Orientation } from "./code-block.ts";
import { type Area, damaged, type Picture } from "./code-stream.ts";

const MAX_LENGTH_BITS = 32;
/** Initial number of bits for lengths, before a packet says that there are more. */
const LEAST_LENGTH_BITS = 3;
/** Most zero bit planes: exponents have 5 bits, guard bits 3. */
const MAX_ZERO_PLANES = 38;

/**
 * Reads all packets of an image into its code blocks (T.800 B.9 to B.12), for one layer, the coarsest resolution first.
 */
export function readPackets({ packets }: Picture, resolutions: readonly Resolution[]): void {
  const header = new HeaderBits(packets);
  for (const { precincts } of resolutions) for (const grids of precincts) readPacket(header, grids);
  if (header.at !== packets.length) throw damaged("has more bytes than packets");
}

function readPacket(header: HeaderBits, grids: readonly BlockGrid[]): void {
  const bodies: { block: CodeBlock; length: number }[] = [];
  const nextBit = () => header.bit();
  if (nextBit() === 1) {
    for (const { columns, blocks, inclusion, zeroPlanes } of grids) {
      for (let index = 0; index < blocks.length; index++) {
        const block = blocks[index]!;
        const column = index % columns;
        const row = Math.floor(index / columns);
        if (!inclusion.isBelow(1, column, row, nextBit)) continue;
        while (!zeroPlanes.isBelow(block.zeroPlanes + 1, column, row, nextBit))
          if (++block.zeroPlanes > MAX_ZERO_PLANES) throw damaged("has a malformed packet");
        block.passes = readPassCount(header);
        let bits = LEAST_LENGTH_BITS + (31 - Math.clz32(block.passes));
        while (header.bit() === 1) bits++;
        if (bits > MAX_LENGTH_BITS) throw damaged("has a malformed packet");
        bodies.push({ block, length: header.number(bits) });
      }
    }
  }
  header.align();
  for (const { block, length } of bodies) block.bytes = header.take(length);
}

/** Reads the number of coding passes (T.800 table B.4). */
function readPassCount(header: HeaderBits): number {
  if (header.bit() === 0) return 1;
  if (header.bit() === 0) return 2;
  const few = header.number(2);
  if (few < 3) return 3 + few;
  const more = header.number(5);
  return more < 31 ? 6 + more : 37 + header.number(7);
}

/** Reads the bits of packet headers. A byte after 0xff has 7 bits. Between headers it is at a byte boundary. */
class HeaderBits {
  at = 0;
  readonly #bytes: Uint8Array;
  #byte = 0;
  #left = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bit(): number {
    if (this.#left === 0) {
      this.#left = this.#byte === 0xff ? 7 : 8;
      if (this.at >= this.#bytes.length) throw damaged("is cut off");
      this.#byte = this.#bytes[this.at++]!;
    }
    this.#left--;
    return (this.#byte >> this.#left) & 1;
  }

  number(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) value = 2 * value + this.bit();
    return value;
  }

  align(): void {
    // A final byte of 0xff is followed by one without bits.
    if (this.#byte === 0xff) this.at++;
    [this.#byte, this.#left] = [0, 0];
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.#bytes.length) throw damaged("is cut off");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}

/** A tree of minima, about which the bits of packet headers reveal more and more (T.800 B.10.2). */
class TagTree {
  /** Offset of the first node and number of columns by level, the leaves first. */
  readonly #levels: { from: number; columns: number }[] = [];
  readonly #values: Int32Array;
  /** Lower bounds of the values. */
  readonly #least: Int32Array;

  constructor(columns: number, rows: number) {
    let from = 0;
    for (let level = 0; ; level++) {
      const [across, down] = [Math.ceil(columns / 2 ** level), Math.ceil(rows / 2 ** level)];
      this.#levels.push({ from, columns: across });
      from += across * down;
      if (across * down <= 1) break;
    }
    this.#values = new Int32Array(from).fill(UNKNOWN);
    this.#least = new Int32Array(from);
  }

  /** Reads whether the value of a leaf is below a limit. */
  isBelow(limit: number, column: number, row: number, nextBit: () => number): boolean {
    let least = 0;
    let value = UNKNOWN;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const { from, columns } = this.#levels[level]!;
      const node = from + (row >> level) * columns + (column >> level);
      least = Math.max(least, this.#least[node]!);
      value = this.#values[node]!;
      while (least < limit && value === UNKNOWN) {
        if (nextBit() === 1) value = least;
        else least++;
      }
      this.#least[node] = least;
      this.#values[node] = value;
    }
    return value < limit;
  }
}

/** Most code blocks of an image: 16 Mi samples in blocks of 64 × 1. */
const MAX_BLOCKS = 2 ** 18;
/** Cost of a precinct in code blocks, because of its tag trees, even where its bands are empty. */
const PRECINCT = 8;

/** The code blocks of a band in a precinct, row by row. */
interface BlockGrid {
  columns: number;
  blocks: CodeBlock[];
  /** Tag tree of the first layers of the blocks. */
  inclusion: TagTree;
  zeroPlanes: TagTree;
}

/** A subband in its own coordinates. */
interface Band {
  orientation: Orientation;
  area: Area;
  /** Number of bit planes of its coefficients. */
  planes: number;
  /** Size of a quantisation step; undefined without quantisation. */
  step: number | undefined;
}

interface Resolution {
  area: Area;
  bands: Band[];
  /** Precincts row by row, each with the code blocks of every band. */
  precincts: BlockGrid[][];
}

/** Orientation, gain as logarithm to base 2, and whether the band has high frequencies horizontally and vertically. */
const coarsest = [["LL", 0, 0, 0]] as const;
const details = [
  ["HL", 1, 1, 0],
  ["LH", 1, 0, 1],
  ["HH", 2, 1, 1],
] as const;

/** The resolutions of an image, the coarsest first, with empty code blocks (T.800 annex B). */
export function resolutionsOf({ area: picture, bits, coding, quantisation }: Picture): Resolution[] {
  const budget = { blocks: MAX_BLOCKS };
  return Array.from({ length: coding.levels + 1 }, (_, index): Resolution => {
    const level = coding.levels - index;
    const bands = (index === 0 ? coarsest : details).map(([orientation, gain, across, down], at): Band => {
      const band = index === 0 ? 0 : 3 * index - 2 + at;
      const [exponent, mantissa] = quantisation.steps[quantisation.isDerived ? 0 : band]!;
      const power = quantisation.isDerived ? exponent - Math.max(0, index - 1) : exponent;
      return {
        orientation,
        area: reduced(picture, index === 0 ? level : level + 1, across, down),
        planes: quantisation.guardBits + power - 1,
        step: coding.isReversible ? undefined : 2 ** (bits + gain - power) * (1 + mantissa / 2048),
      };
    });
    const area = reduced(picture, level, 0, 0);
    return { area, bands, precincts: precinctsOf(coding, index, area, bands, budget) };
  });
}

/**
 * Bounds after selecting every second column and row `times` times; the last time selects the odd ones, if requested.
 */
function reduced({ x0, y0, x1, y1 }: Area, times: number, across: 0 | 1, down: 0 | 1): Area {
  const scale = 2 ** times;
  const column = (x: number) => Math.ceil(x / scale - across / 2);
  const row = (y: number) => Math.ceil(y / scale - down / 2);
  return { x0: column(x0), y0: row(y0), x1: column(x1), y1: row(y1) };
}

function precinctsOf(
  coding: Picture["coding"],
  index: number,
  area: Area,
  bands: readonly Band[],
  budget: { blocks: number },
): BlockGrid[][] {
  const [width, height] = coding.precincts[index]!.map((size) => 2 ** size) as [number, number];
  // Detail bands have half the columns and rows of their resolution.
  const part = index === 0 ? 1 : 2;
  const blockWidth = Math.min(2 ** coding.blockSize[0], width / part);
  const blockHeight = Math.min(2 ** coding.blockSize[1], height / part);
  const precincts: BlockGrid[][] = [];
  if (area.x0 >= area.x1 || area.y0 >= area.y1) return precincts;
  for (let row = Math.floor(area.y0 / height); row * height < area.y1; row++) {
    for (let column = Math.floor(area.x0 / width); column * width < area.x1; column++) {
      spend(budget, PRECINCT);
      const grids = bands.map((band) => {
        const inside = intersection(band.area, {
          x0: (column * width) / part,
          y0: (row * height) / part,
          x1: ((column + 1) * width) / part,
          y1: ((row + 1) * height) / part,
        });
        return gridOf(inside, blockWidth, blockHeight, budget);
      });
      precincts.push(grids);
    }
  }
  return precincts;
}

function gridOf(area: Area, width: number, height: number, budget: { blocks: number }): BlockGrid {
  const isEmpty = area.x0 >= area.x1 || area.y0 >= area.y1;
  const [left, top] = [Math.floor(area.x0 / width), Math.floor(area.y0 / height)];
  const columns = isEmpty ? 0 : Math.ceil(area.x1 / width) - left;
  const rows = isEmpty ? 0 : Math.ceil(area.y1 / height) - top;
  spend(budget, columns * rows);
  const blocks: CodeBlock[] = [];
  for (let row = top; row < top + rows; row++)
    for (let column = left; column < left + columns; column++)
      blocks.push({
        x0: Math.max(area.x0, column * width),
        y0: Math.max(area.y0, row * height),
        x1: Math.min(area.x1, (column + 1) * width),
        y1: Math.min(area.y1, (row + 1) * height),
        passes: 0,
        bytes: NO_BYTES,
        zeroPlanes: 0,
      });
  return { columns, blocks, inclusion: new TagTree(columns, rows), zeroPlanes: new TagTree(columns, rows) };
}

const NO_BYTES = new Uint8Array();

function intersection(one: Area, other: Area): Area {
  return {
    x0: Math.max(one.x0, other.x0),
    y0: Math.max(one.y0, other.y0),
    x1: Math.min(one.x1, other.x1),
    y1: Math.min(one.y1, other.y1),
  };
}

function spend(budget: { blocks: number }, blocks: number): void {
  budget.blocks -= blocks;
  if (budget.blocks < 0) throw new UnreadableError("a JPEG 2000 picture in so many code blocks is not read");
}

/** Marks a value that is not known yet; larger than any other. */
const UNKNOWN = 0x7fffffff;
