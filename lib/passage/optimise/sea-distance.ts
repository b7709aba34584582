import { distanceKm, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import type { Coast } from "./coast.ts";
import { Heap } from "./heap.ts";
import { areApart } from "./lakes.ts";
import { type NodeNumber, SeaGrid } from "./sea-grid.ts";

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

/** A node of the grid at a place of water. */
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
  if (yield* areApart(coast, from, to)) return undefined;
  const sizes = SIZES.filter(({ from: least }) => miles >= least).slice(0, MAX_SIZES);
  for (const parts of PARTS)
    for (const { size } of sizes) {
      const found = yield* searched(new SeaGrid(coast, size, parts), coast, from, to, detour);
      if (found) return found;
    }
  return undefined;
}

function* searched(
  grid: SeaGrid,
  coast: Coast,
  from: Place,
  to: Place,
  detour: number,
): Generator<void, SeaDistances | undefined, void> {
  const nodes = new Map<NodeNumber, Node>();
  const open = new Heap<Node>();
  const last = { number: grid.nodeAt(to), place: to, miles: 0, isDone: false } as Node;
  last.next = last;
  nodes.set(last.number, last);
  const estimated = (reached: number, place: Place) => reached + distanceKm(from, place) / MILE_KM;
  open.push(estimated(0, to), last);
  const most = MAX_STRETCH * estimated(0, to) + 300;
  const start = grid.nodeAt(from);
  const besideStart = grid.around(start).add(start);
  let found: { miles: number; next: Node } | undefined;
  let looked = 0;
  for (let node = open.pop(); node && nodes.size < MAX_NODES; node = open.pop()) {
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
