import { distanceKm, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { COLUMNS, type Coast, centreOf, columnOf, ROWS, rowOf } from "./coast.ts";
import { Heap } from "./heap.ts";

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

/** A node of a coarse grid at a cell of water. */
interface Node {
  row: number;
  column: number;
  place: Place;
  /** The place on the way that it sees; itself at the destination. */
  next: Node;
  miles: number;
  isDone: boolean;
}

/** Sizes of nodes in cells of the mask that are tried, by the distance, n mi. The finer ones find straits. */
const SIZES = [
  { size: 20, from: 3000 },
  { size: 10, from: 1000 },
  { size: 5, from: 250 },
  { size: 2, from: 0 },
] as const;

/** Nodes between two pauses. */
const NODES_PER_TURN = 250;

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

/** As `seaDistances`, with a pause after every few milliseconds of work. */
export function* searchSea(
  coast: Coast,
  from: Place,
  to: Place,
  detour: number,
): Generator<void, SeaDistances | undefined, void> {
  const miles = distanceKm(from, to) / MILE_KM;
  for (const { size, from: least } of SIZES) {
    if (miles < least) continue;
    const found = yield* searched(coast, from, to, detour, size);
    if (found) return found;
  }
  return undefined;
}

function* searched(
  coast: Coast,
  from: Place,
  to: Place,
  detour: number,
  size: number,
): Generator<void, SeaDistances | undefined, void> {
  const [rows, columns] = [ROWS / size, COLUMNS / size];
  const nodes = new Map<number, Node>();
  const open = new Heap<Node>();
  const rowAt = (place: Place) => Math.floor(rowOf(place.latitude) / size);
  const columnAt = (place: Place) =>
    Math.floor((((columnOf(place.longitude) % COLUMNS) + COLUMNS) % COLUMNS) / size);
  const last = { row: rowAt(to), column: columnAt(to), place: to, miles: 0, isDone: false } as Node;
  last.next = last;
  nodes.set(last.row * columns + last.column, last);
  const estimated = (reached: number, place: Place) => reached + distanceKm(from, place) / MILE_KM;
  open.push(estimated(0, to), last);
  const most = MAX_STRETCH * estimated(0, to) + 300;
  const start = [rowAt(from), columnAt(from)] as const;
  let found: { miles: number; next: Node } | undefined;
  let looked = 0;
  for (let node = open.pop(); node && nodes.size < MAX_NODES; node = open.pop()) {
    if (node.isDone) continue;
    if (++looked % NODES_PER_TURN === 0) yield;
    if (estimated(node.miles, node.place) > (found ? detour * found.miles : most)) break;
    if (!settled(node)) continue;
    node.isDone = true;
    if (!found && Math.abs(node.row - start[0]) <= 1 && isBeside(node.column, start[1]))
      found = fromHere(from, true);
    for (const [row, column] of around(node.row, node.column)) {
      const key = row * columns + column;
      const known = nodes.get(key);
      if (known?.isDone) continue;
      const place = known?.place ?? waterIn(coast, row, column, size);
      if (!place) continue;
      const reached = node.next.miles + distanceKm(place, node.next.place) / MILE_KM;
      if (known && known.miles <= reached) continue;
      const next: Node = known ?? { row, column, place, next: node.next, miles: reached, isDone: false };
      next.next = node.next;
      next.miles = reached;
      nodes.set(key, next);
      open.push(estimated(reached, place), next);
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
    for (const [row, column] of around(node.row, node.column)) {
      const other = nodes.get(row * columns + column);
      if (!other?.isDone) continue;
      const reached = other.miles + distanceKm(node.place, other.place) / MILE_KM;
      if (reached < least && coast.isClear(node.place, other.place)) [best, least] = [other, reached];
    }
    if (!best) {
      nodes.delete(node.row * columns + node.column);
      return false;
    }
    node.next = best;
    node.miles = least;
    return true;
  }

  /** The way on from any place, by the nodes about it. @param seen Whether the next place has to be in sight. */
  function fromHere(place: Place, seen: boolean): { miles: number; next: Node } | undefined {
    const [row, column] = [rowAt(place), columnAt(place)];
    const own = nodes.get(row * columns + column);
    if (!seen && own?.isDone) return { miles: reachedBy(own.next, place), next: own.next };
    let best: { miles: number; next: Node } | undefined;
    for (const [r, c] of [[row, column] as const, ...around(row, column)]) {
      const node = nodes.get(r * columns + c);
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

  function isBeside(column: number, other: number): boolean {
    const apart = Math.abs(column - other);
    return Math.min(apart, columns - apart) <= 1;
  }

  function* around(row: number, column: number): Generator<readonly [row: number, column: number]> {
    for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++)
      for (let c = -1; c <= 1; c++) if (r !== row || c !== 0) yield [r, (column + c + columns) % columns];
  }
}

/** The middle of the cell of water that is nearest to the middle of a node; undefined where all is land. */
function waterIn(coast: Coast, row: number, column: number, size: number): Place | undefined {
  const middle = Math.floor(size / 2);
  let best: [row: number, column: number] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let r = 0; r < size; r++)
    for (let c = 0; c < size; c++) {
      const off = Math.abs(r - middle) + Math.abs(c - middle);
      if (off >= least || coast.isLandCell(row * size + r, column * size + c)) continue;
      [best, least] = [[row * size + r, column * size + c], off];
      if (off === 0) return centreOf(...best);
    }
  return best && centreOf(...best);
}
