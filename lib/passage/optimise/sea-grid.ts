import type { Place } from "#lib/geo/sphere.ts";
import type { Coast } from "./coast.ts";
import { CELL_DEGREES, COLUMNS, columnOf, ROWS, wrapped } from "./raster.ts";

/** Number of a node: of a block of cells, or of a part of a cell. */
export type NodeNumber = number;

/**
 * A grid of nodes for ways by water: one in each block of cells; each cell, or parts of it, in blocks through which a strait
 * leads, or that lie near the ends of a way.
 */
export class SeaGrid {
  readonly #coast: Coast;
  readonly #size: number;
  readonly #parts: number;
  readonly #rows: number;
  readonly #columns: number;
  /** Cells of a block, those nearest to its middle first. */
  readonly #cells: readonly { row: number; column: number }[];
  readonly #isFine = new Map<number, boolean>();

  /**
   * @param size Cells of a side of a block. It divides the rows and the columns of the raster.
   * @param parts Nodes of a side of a cell through which a strait leads.
   */
  constructor(coast: Coast, size: number, parts: number) {
    this.#coast = coast;
    this.#size = size;
    this.#parts = parts;
    this.#rows = ROWS / size;
    this.#columns = COLUMNS / size;
    const middle = (size - 1) / 2;
    const off = ({ row, column }: { row: number; column: number }) =>
      Math.abs(row - middle) + Math.abs(column - middle);
    this.#cells = Array.from({ length: size * size }, (_, at) => ({
      row: Math.floor(at / size),
      column: at % size,
    })).sort((one, other) => off(one) - off(other));
  }

  /** The node in which a place lies. */
  nodeAt({ latitude, longitude }: Place): NodeNumber {
    const row = Math.min(ROWS * this.#parts - 1, Math.floor(((latitude + 90) / CELL_DEGREES) * this.#parts));
    return this.#nodeOf(row, Math.floor(columnOf(longitude) * this.#parts));
  }

  /** A place of water of a node, in open sea rather than at a coast; undefined where all is closed. */
  placeOf(node: NodeNumber): Place | undefined {
    const part = this.#partOf(node);
    if (part) {
      const [row, column] = [part.row / this.#parts, part.column / this.#parts];
      return this.#coast.waterIn(row, column, 1 / this.#parts);
    }
    const [south, west] = this.#cornerOf(node);
    for (const { row, column } of this.#cells)
      if (this.#coast.isSea(south + row, west + column))
        return this.#coast.waterIn(south + row, west + column);
    return undefined;
  }

  /** The nodes about one. */
  around(node: NodeNumber): Set<NodeNumber> {
    const part = this.#partOf(node);
    const [south, west] = part
      ? [part.row, part.column]
      : (this.#cornerOf(node).map((corner) => corner * this.#parts) as [number, number]);
    const size = part ? 1 : this.#size * this.#parts;
    const nodes = new Set<NodeNumber>();
    const add = (row: number, column: number) => {
      if (row >= 0 && row < ROWS * this.#parts) nodes.add(this.#nodeOf(row, column));
    };
    for (let at = -1; at <= size; at++) {
      add(south - 1, west + at);
      add(south + size, west + at);
      add(south + at, west - 1);
      add(south + at, west + size);
    }
    nodes.delete(node);
    return nodes;
  }

  /** Of a part of a cell, counted in parts. */
  #nodeOf(row: number, column: number): NodeNumber {
    const columns = COLUMNS * this.#parts;
    const around = wrapped(column, columns);
    const side = this.#size * this.#parts;
    const block = Math.floor(row / side) * this.#columns + Math.floor(around / side);
    return this.#isFineBlock(block) ? this.#rows * this.#columns + row * columns + around : block;
  }

  /** Of a node that is no block: in parts of cells. */
  #partOf(node: NodeNumber): { row: number; column: number } | undefined {
    const part = node - this.#rows * this.#columns;
    const columns = COLUMNS * this.#parts;
    return part < 0 ? undefined : { row: Math.floor(part / columns), column: part % columns };
  }

  #cornerOf(block: number): [south: number, west: number] {
    return [Math.floor(block / this.#columns) * this.#size, (block % this.#columns) * this.#size];
  }

  #isFineBlock(block: number): boolean {
    const known = this.#isFine.get(block);
    if (known !== undefined) return known;
    const [south, west] = this.#cornerOf(block);
    const isFine = this.#cells.some(({ row, column }) => this.#coast.isByLine(south + row, west + column));
    this.#isFine.set(block, isFine);
    return isFine;
  }
}
