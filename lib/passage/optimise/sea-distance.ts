import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import TinyQueue from "tinyqueue";
import type { Coast } from "./coast.ts";
import { CELL_DEGREES, COLUMNS, columnOf, ROWS, rowOf, wrapped } from "./coastline.ts";

/** The shortest ways by water to one place, as far as they were searched. */
export interface SeaDistances {
  /** Distance from the start around land, n mi. */
  miles: number;
  /**
   * The shortest way from the start, both ends included. The great circle between consecutive places is clear
   * of land.
   */
  way: Place[];
  /**
   * Distance from a place, n mi, and the next place on the shortest way from there; undefined if no way was
   * found or land is near. A cape smaller than a node may hide the next place.
   */
  from(place: Place): { miles: number; next: Place } | undefined;
}

interface Node {
  number: NodeNumber;
  place: Place;
  /** The next node on the way; it is visible from this one. The destination refers to itself. */
  next: Node;
  miles: number;
  isDone: boolean;
}

/** Sizes of blocks, in cells, by the distance from which they are used, n mi. */
const SIZES = [
  { size: 20, from: 4000 },
  { size: 10, from: 1000 },
  { size: 4, from: 250 },
  { size: 2, from: 60 },
  { size: 1, from: 0 },
] as const;

/** Number of these sizes that are tried, the largest first. */
const MAX_SIZES = 2;

/** Nodes along the side of a cell at a strait. Straits of half a mile need the larger number. */
const PARTS = [1, 4] as const;

/** Nodes searched between two pauses. */
const NODES_PER_TURN = 25;

/**
 * A search ends after this many nodes, or when ways are this many times as long as the distance: there is no
 * way by water, or only one around a continent.
 */
const MAX_NODES = 60_000;
const MAX_STRETCH = 6;

/**
 * Finds the shortest ways by water to a place from all around, within an ellipse around the way from the
 * start: A* on a coarse grid whose nodes see past their neighbours (Lazy Theta*: Nash, Koenig and Tovey
 * 2010), which makes ways great circles from cape to cape.
 *
 * @param from, to Places on water.
 * @param detour Ways are known from places on detours up to this many times as long as the shortest way.
 * @returns undefined if there is no way by water.
 */
export function seaDistances(coast: Coast, from: Place, to: Place, detour: number): SeaDistances | undefined {
  const search = searchSea(coast, from, to, detour);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
}

/**
 * The same as `seaDistances`, pausing after every few milliseconds of work. @param longest Longest way that is found,
 * n mi.
 */
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

/**
 * A way that keeps a mile off the coast may be longer than one that does not by this factor and this many
 * miles.
 */
const [MAX_OFFING_STRETCH, OFFING_MORE_MILES] = [1.25, 5];

/**
 * Finds ways by water that keep a mile off the coast wherever there is room, and returns them with the coast
 * that enforces it. If only a long detour does so, ways that come nearer to the coast are used.
 *
 * @returns undefined if there is no way by water.
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

  /** Whether a node sees its next place; if not, it takes over the next place of a neighbour. */
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

  /**
   * The way onward from any place, by the nodes around it. @param seen Whether the next place has to be in
   * sight.
   */
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

/** Number of a node, which stands for a block of cells or a part of a cell. */
type NodeNumber = number;

/**
 * A grid of nodes for ways by water: one node per block of cells; in blocks with a strait, or near the ends
 * of a way, one per cell or part of a cell.
 */
class SeaGrid {
  readonly #coast: Coast;
  readonly #size: number;
  readonly #parts: number;
  readonly #rows: number;
  readonly #columns: number;
  /** Offsets of the cells of a block, those nearest to its middle first. */
  readonly #cells: readonly { row: number; column: number }[];
  readonly #isFine = new Map<number, boolean>();

  /**
   * @param size Cells along the side of a block; it divides the rows and the columns of the raster.
   * @param parts Nodes along the side of a cell with a strait.
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

  /** A place on water for a node, in open sea rather than at a coast; undefined if all of it is closed. */
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

  /** The neighbouring nodes. */
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

  /** The node of a part of a cell, whose row and column are counted in parts. */
  #nodeOf(row: number, column: number): NodeNumber {
    const columns = COLUMNS * this.#parts;
    const around = wrapped(column, columns);
    const side = this.#size * this.#parts;
    const block = Math.floor(row / side) * this.#columns + Math.floor(around / side);
    return this.#isFineBlock(block) ? this.#rows * this.#columns + row * columns + around : block;
  }

  /** Row and column of a node that is a part of a cell, counted in parts; undefined for a block. */
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

/** A body of water with more cells than this counts as ocean. The Caspian Sea has about 17,000. */
const MAX_LAKE = 40_000;

const CELLS_PER_TURN = 4000;

/**
 * Whether there is no way by water because one of the two places lies in a lake and the other is not in the
 * same lake.
 */
function* areApart(coast: Coast, from: Place, to: Place): Generator<void, boolean, void> {
  const [start, end] = [cellOf(from), cellOf(to)];
  return (yield* isLakeWithout(coast, start, end)) || (yield* isLakeWithout(coast, end, start));
}

/** Whether the water around a cell is a lake that does not contain another cell. */
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
