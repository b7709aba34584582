import TinyQueue from "tinyqueue";
import { distanceKm, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import type { Coast } from "./coast.ts";
import { CELL_DEGREES, COLUMNS, columnOf, ROWS, rowOf, wrapped } from "./coastline.ts";

/** Shortest ways by water to one place, as far as they were looked for. */
export interface SeaDistances {
  /** From the start, n mi, around land. */
  miles: number;
  /** The shortest way from the start, both ends included; between two places along a great circle that is clear of land. */
  way: Place[];
  /**
   * From a place, n mi, and the next place on the shortest way from there; undefined where no way was found, or land is near.
   * The next place may be hidden behind a cape of less than a node.
   */
  from(place: Place): { miles: number; next: Place } | undefined;
}

interface Node {
  number: NodeNumber;
  place: Place;
  /** The place on the way that it sees; itself at the destination. */
  next: Node;
  miles: number;
  isDone: boolean;
}

/** Sizes of blocks in cells that are tried, by the distance, n mi. */
const SIZES = [
  { size: 20, from: 4000 },
  { size: 10, from: 1000 },
  { size: 4, from: 250 },
  { size: 2, from: 60 },
  { size: 1, from: 0 },
] as const;

/** Of them so many are tried, the largest first. */
const MAX_SIZES = 2;

/** Nodes of a side of a cell at a strait: straits of half a mile need the more. */
const PARTS = [1, 4] as const;

/** Nodes between two pauses. */
const NODES_PER_TURN = 25;

/** A search ends after so many nodes, or at ways so many times as long as the distance: there is none by water, or one around a continent. */
const MAX_NODES = 60_000;
const MAX_STRETCH = 6;

/**
 * Finds the shortest ways by water to a place from all around, to within an ellipse about the way from the start: A* on a
 * coarse grid whose nodes see past their neighbours (Lazy Theta*: Nash, Koenig and Tovey 2010), so that ways are great circles
 * from cape to cape.
 *
 * @param from, to On water.
 * @param detour Ways are known at places on ways up to so many times as long as the shortest.
 * @returns undefined where there is no way by water.
 */
export function seaDistances(coast: Coast, from: Place, to: Place, detour: number): SeaDistances | undefined {
  const search = searchSea(coast, from, to, detour);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
}

/** As `seaDistances`, with a pause after every few milliseconds of work. @param longest No way that is longer is found, n mi. */
export function* searchSea(
  coast: Coast,
  from: Place,
  to: Place,
  detour: number,
  longest = Number.POSITIVE_INFINITY,
): Generator<void, SeaDistances | undefined, void> {
  const miles = distanceKm(from, to) / MILE_KM;
  if (yield* areApart(coast, from, to)) return undefined;
  const sizes = SIZES.filter(({ from: least }) => miles >= least).slice(0, MAX_SIZES);
  for (const parts of PARTS)
    for (const { size } of sizes) {
      const found = yield* searched(new SeaGrid(coast, size, parts), coast, from, to, { detour, longest });
      if (found) return found;
    }
  return undefined;
}

/** A way that keeps a mile off the coast may be so many times longer than one that does not, and by so many miles. */
const [MAX_OFFING_STRETCH, OFFING_MORE_MILES] = [1.25, 5];

/**
 * Finds ways by water that keep a mile off the coast wherever the water leaves it, with the coast that keeps them off; where
 * only a long way round does so, ways that do not.
 *
 * @returns undefined where there is no way by water.
 */
export function* searchOffing(
  known: Coast,
  from: Place,
  to: Place,
  detour: number,
): Generator<void, { coast: Coast; sea: SeaDistances } | undefined, void> {
  const [near, offing] = [known.near([from, to]), known.offingNear([from, to])];
  const nearest = yield* searchSea(near, from, to, detour);
  if (!nearest) return undefined;
  const longest = MAX_OFFING_STRETCH * nearest.miles + OFFING_MORE_MILES;
  const sea = yield* searchSea(offing, from, to, detour, longest);
  return sea ? { coast: offing, sea } : { coast: near, sea: nearest };
}

function* searched(
  grid: SeaGrid,
  coast: Coast,
  from: Place,
  to: Place,
  { detour, longest }: { detour: number; longest: number },
): Generator<void, SeaDistances | undefined, void> {
  const nodes = new Map<NodeNumber, Node>();
  const open = new TinyQueue<{ key: number; node: Node }>([], (one, other) => one.key - other.key);
  const last = { number: grid.nodeAt(to), place: to, miles: 0, isDone: false } as Node;
  last.next = last;
  nodes.set(last.number, last);
  const estimated = (reached: number, place: Place) => reached + distanceKm(from, place) / MILE_KM;
  open.push({ key: estimated(0, to), node: last });
  const most = Math.min(longest, MAX_STRETCH * estimated(0, to) + 300);
  const start = grid.nodeAt(from);
  const besideStart = grid.around(start).add(start);
  let found: { miles: number; next: Node } | undefined;
  let looked = 0;
  for (let node = open.pop()?.node; node && nodes.size < MAX_NODES; node = open.pop()?.node) {
    if (node.isDone) continue;
    if (++looked % NODES_PER_TURN === 0) yield;
    if (estimated(node.miles, node.place) > (found ? detour * found.miles : most)) break;
    if (!settled(node)) continue;
    node.isDone = true;
    if (!found && besideStart.has(node.number)) found = fromHere(from, true);
    for (const number of grid.around(node.number)) {
      const known = nodes.get(number);
      if (known?.isDone) continue;
      const place = known?.place ?? grid.placeOf(number);
      if (!place) continue;
      const reached = node.next.miles + distanceKm(place, node.next.place) / MILE_KM;
      if (known && known.miles <= reached) continue;
      const next: Node = known ?? { number, place, next: node.next, miles: reached, isDone: false };
      next.next = node.next;
      next.miles = reached;
      nodes.set(number, next);
      open.push({ key: estimated(reached, place), node: next });
    }
  }
  if (!found) return undefined;
  const way = [from];
  for (let at: Node | undefined = found.next; at; at = at.next === at ? undefined : at.next)
    way.push(at.place);
  return {
    miles: found.miles,
    way: way.filter((place, index) => index === 0 || distanceKm(place, way[index - 1]!) > 0),
    from(place) {
      const near = fromHere(place, false);
      return near && { miles: near.miles, next: near.next.place };
    },
  };

  /** Whether a node sees its way on; else it takes that of a neighbour. */
  function settled(node: Node): boolean {
    if (coast.isClear(node.place, node.next.place)) return true;
    let best: Node | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const number of grid.around(node.number)) {
      const other = nodes.get(number);
      if (!other?.isDone) continue;
      const reached = other.miles + distanceKm(node.place, other.place) / MILE_KM;
      if (reached < least && coast.isClear(node.place, other.place)) [best, least] = [other, reached];
    }
    if (!best) {
      nodes.delete(node.number);
      return false;
    }
    node.next = best;
    node.miles = least;
    return true;
  }

  /** The way on from any place, by the nodes about it. @param seen Whether the next place has to be in sight. */
  function fromHere(place: Place, seen: boolean): { miles: number; next: Node } | undefined {
    const here = grid.nodeAt(place);
    const own = nodes.get(here);
    if (!seen && own?.isDone) return { miles: reachedBy(own.next, place), next: own.next };
    let best: { miles: number; next: Node } | undefined;
    for (const number of [here, ...grid.around(here)]) {
      const node = nodes.get(number);
      if (!node?.isDone) continue;
      for (const next of [node.next, node]) {
        const reached = reachedBy(next, place);
        if ((!best || reached < best.miles) && (!seen || coast.isClear(place, next.place)))
          best = { miles: reached, next };
      }
    }
    return best;
  }

  function reachedBy(next: Node, place: Place): number {
    return next.miles + distanceKm(place, next.place) / MILE_KM;
  }
}

/** Number of a node: of a block of cells, or of a part of a cell. */
type NodeNumber = number;

/**
 * A grid of nodes for ways by water: one in each block of cells; each cell, or parts of it, in blocks through which a strait
 * leads, or that lie near the ends of a way.
 */
class SeaGrid {
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

/** Water of more cells is taken for the ocean: the Caspian has about 17,000. */
const MAX_LAKE = 40_000;

const CELLS_PER_TURN = 4000;

/** Whether one of two places lies in a lake, and the other does not lie in the same: there is no way by water. */
function* areApart(coast: Coast, from: Place, to: Place): Generator<void, boolean, void> {
  const [start, end] = [cellOf(from), cellOf(to)];
  return (yield* isLakeWithout(coast, start, end)) || (yield* isLakeWithout(coast, end, start));
}

/** Whether all water about a cell is few cells, and another is not among them. */
function* isLakeWithout(coast: Coast, start: number, other: number): Generator<void, boolean, void> {
  const known = new Set([start]);
  let looked = 0;
  for (const cell of known) {
    if (++looked % CELLS_PER_TURN === 0) yield;
    if (cell === other || known.size > MAX_LAKE) return false;
    const [row, column] = [Math.floor(cell / COLUMNS), cell % COLUMNS];
    for (let r = Math.max(0, row - 1); r <= Math.min(ROWS - 1, row + 1); r++)
      for (let c = column - 1; c <= column + 1; c++)
        if (coast.isSea(r, c) || coast.isByLine(r, c)) known.add(r * COLUMNS + wrapped(c));
  }
  return true;
}

function cellOf({ latitude, longitude }: Place): number {
  return rowOf(latitude) * COLUMNS + wrapped(Math.floor(columnOf(longitude)));
}
