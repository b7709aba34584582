import { UnreadableError } from "#server/ingest/grib2/octets.ts";
import type { CodeBlock } from "./code-block.ts";
import type { Area, Tile } from "./code-stream.ts";
import type { Orientation } from "./contexts.ts";

/** A tree of minima, of which bits of packet headers tell more and more (T.800 B.10.2). */
class TagTree {
  /** By level, the leaves first: where its nodes begin, and how many columns it has. */
  readonly #levels: { from: number; columns: number }[] = [];
  readonly #values: Int32Array;
  /** What values are at least. */
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

/** Code blocks of a tile: 16 Mi samples in blocks of 64 × 1. */
const MAX_BLOCKS = 2 ** 18;
/** What a precinct takes, in code blocks: its tag trees, also where its bands are empty. */
const PRECINCT = 8;

/** The code blocks of a band in a precinct, row by row. */
interface BlockGrid {
  columns: number;
  blocks: CodeBlock[];
  /** First layers of the blocks. */
  inclusion: TagTree;
  zeroPlanes: TagTree;
}

export interface Precinct {
  /** Its first column and row in the picture. */
  x: number;
  y: number;
  /** One for each band. */
  grids: BlockGrid[];
}

/** A subband in its own coordinates. */
interface Band {
  orientation: Orientation;
  area: Area;
  /** Bit planes of its coefficients. */
  planes: number;
  /** Size of a quantisation step; undefined where there is none. */
  step: number | undefined;
}

export interface Resolution {
  area: Area;
  bands: Band[];
  /** Row by row. */
  precincts: Precinct[];
}

/** Orientation, gain as logarithm to base 2, and whether it holds high frequencies across and down. */
const coarsest = [["LL", 0, 0, 0]] as const;
const details = [
  ["HL", 1, 1, 0],
  ["LH", 1, 0, 1],
  ["HH", 2, 1, 1],
] as const;

/** The resolutions of a tile, the coarsest first, with code blocks that are still empty (T.800 annex B). */
export function resolutionsOf(tile: Tile, bits: number): Resolution[] {
  const { coding, quantisation } = tile;
  const budget = { blocks: MAX_BLOCKS };
  return Array.from({ length: coding.levels + 1 }, (_, index): Resolution => {
    const level = coding.levels - index;
    const bands = (index === 0 ? coarsest : details).map(([orientation, gain, across, down], at): Band => {
      const band = index === 0 ? 0 : 3 * index - 2 + at;
      const [exponent, mantissa] = quantisation.steps[quantisation.isDerived ? 0 : band]!;
      const power = quantisation.isDerived ? exponent - Math.max(0, index - 1) : exponent;
      return {
        orientation,
        area: reduced(tile.area, index === 0 ? level : level + 1, across, down),
        planes: quantisation.guardBits + power - 1,
        step: coding.isReversible ? undefined : 2 ** (bits + gain - power) * (1 + mantissa / 2048),
      };
    });
    const area = reduced(tile.area, level, 0, 0);
    return { area, bands, precincts: precinctsOf(tile, index, area, bands, budget) };
  });
}

/** The samples of every second column and row, so many times; of the last time the odd ones, where they are asked for. */
function reduced({ x0, y0, x1, y1 }: Area, times: number, across: 0 | 1, down: 0 | 1): Area {
  const scale = 2 ** times;
  const column = (x: number) => Math.ceil(x / scale - across / 2);
  const row = (y: number) => Math.ceil(y / scale - down / 2);
  return { x0: column(x0), y0: row(y0), x1: column(x1), y1: row(y1) };
}

function precinctsOf(
  { area: tile, coding }: Tile,
  index: number,
  area: Area,
  bands: readonly Band[],
  budget: { blocks: number },
): Precinct[] {
  const [width, height] = coding.precincts[index]!.map((size) => 2 ** size) as [number, number];
  const scale = 2 ** (coding.levels - index);
  // Bands of details have half the columns and rows of their resolution.
  const part = index === 0 ? 1 : 2;
  const blockWidth = Math.min(2 ** coding.blockSize[0], width / part);
  const blockHeight = Math.min(2 ** coding.blockSize[1], height / part);
  const precincts: Precinct[] = [];
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
      const [x, y] = [Math.max(tile.x0, column * width * scale), Math.max(tile.y0, row * height * scale)];
      precincts.push({ x, y, grids });
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
        segments: [],
        passes: 0,
        zeroPlanes: 0,
        lengthBits: 3,
      });
  return { columns, blocks, inclusion: new TagTree(columns, rows), zeroPlanes: new TagTree(columns, rows) };
}

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

/** Smaller than any value that is not known yet. */
const UNKNOWN = 0x7fffffff;
