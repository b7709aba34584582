import TinyQueue from "tinyqueue";
import { normaliseLongitude } from "./grid.ts";
import { DEGREE_KM, destination, distanceKm, type Place, RADIANS } from "./sphere.ts";

/** The part of a coast that ways by water need; `Coast` of passages provides it. */
export interface WaterMap {
  isLand(place: Place): boolean;
  /** Whether a straight way between two places on water meets no land. */
  isClear(from: Place, to: Place): boolean;
}

/** A place on land within this distance of water counts as a harbour or river mouth, km. */
const HARBOUR_KM = 10;

/** Distance between two rings, and between two places on a ring, at which water is searched, km. */
const RING_KM = 0.25;

/** Least distance between two nodes of the grid, km, and the most steps from its middle to its edge. */
const STEP_KM = 0.5;
const MOST_STEPS = 100;

/** More than the nodes of a row of the grid, which numbers their positions. */
const ROW = 2 ** 20;

/** Moves from a node to its neighbours. With these 16 directions a way is at most 2.8 % too long. */
const around = [-2, -1, 0, 1, 2];
const moves = around.flatMap((up) =>
  around
    .filter((right) => Math.max(Math.abs(up), Math.abs(right)) === 1 || Math.abs(up * right) === 2)
    .map((right) => [up, right] as const),
);

interface Node {
  up: number;
  right: number;
  place: Place;
  km: number;
  isDone: boolean;
}

/** Water near a place on land, and its distance, km. */
interface Shore {
  water: Place;
  km: number;
}

/** Water up to this much farther than the nearest is tried too, km: the nearest may be a dock that a map closes. */
const DOCK_KM = 1;

/**
 * The waters near a place, the nearest first: of several that a straight way joins, one. The place itself if it is on
 * water; empty if no water is within 10 km.
 */
function shoresOf(map: WaterMap, place: Place): Shore[] {
  if (!map.isLand(place)) return [{ water: place, km: 0 }];
  const shores: Shore[] = [];
  let last = HARBOUR_KM;
  for (let km = RING_KM; km <= last; km += RING_KM) {
    const count = Math.ceil((2 * Math.PI * km) / RING_KM);
    for (let at = 0; at < count; at++) {
      const water = destination(place, (360 * at) / count, km);
      if (map.isLand(water) || shores.some((shore) => map.isClear(shore.water, water))) continue;
      shores.push({ water, km });
      last = Math.min(last, km + DOCK_KM);
    }
  }
  return shores;
}

/**
 * Measures distances by water, around land, from one place to others: Dijkstra's algorithm on a grid of water
 * around it. Every edge of the grid is clear of the coast, so even a narrow isthmus blocks the way; a channel
 * narrower than a grid step may be missed. The search extends only as far as the requested places.
 *
 * A way from a place on land, which counts as a harbour, begins at the nearest water from which there is a way. Two such places that
 * are closer to each other than to water may lie on a river that the map lacks, so the way between them is
 * straight.
 *
 * @param reachKm Longest way, km. The step of the grid is 0.5 km or a hundredth of the reach, whichever is
 * greater.
 * @returns A function that gives the length of the way to a place, km; undefined if none is found within the
 * reach.
 */
export function waysByWater(map: WaterMap, from: Place, reachKm: number): (to: Place) => number | undefined {
  const starts = shoresOf(map, from).map(({ water, km }) => {
    let grid: ReturnType<typeof gridAround> | undefined;
    const between = (to: Place) => {
      if (map.isClear(water, to)) return distanceKm(water, to);
      grid ??= gridAround(map, water, reachKm);
      return grid(to);
    };
    return { km, between };
  });
  return (to) => {
    const straight = distanceKm(from, to);
    if (straight > reachKm) return undefined;
    const ends = shoresOf(map, to);
    const startKm = starts[0]?.km ?? HARBOUR_KM;
    const endKm = ends[0]?.km ?? HARBOUR_KM;
    if (startKm > 0 && endKm > 0 && straight <= startKm + endKm) return straight;
    for (const start of starts) {
      const ways = ends.map((end) => start.km + start.between(end.water) + end.km);
      const km = Math.min(...ways);
      if (km <= reachKm) return km;
    }
    return undefined;
  };
}

/**
 * Lengths of ways on a grid from its middle to other places on water, km; infinite if there is none within
 * the reach.
 */
function gridAround(map: WaterMap, middle: Place, reachKm: number): (to: Place) => number {
  const stepKm = Math.max(STEP_KM, reachKm / MOST_STEPS);
  const north = stepKm / DEGREE_KM;
  const east = north / Math.max(0.01, Math.cos(middle.latitude * RADIANS));
  /** Nodes by position; undefined where the grid has land, which is asked once for each position. */
  const nodes = new Map<number, Node | undefined>();
  const open = new TinyQueue<{ km: number; node: Node }>([], (one, other) => one.km - other.km);
  const reach = (node: Node, km: number) => {
    node.km = km;
    open.push({ km, node });
  };

  /** The node at a position of the grid; undefined on land and beyond the poles. */
  function nodeAt(up: number, right: number): Node | undefined {
    const key = up * ROW + right;
    const known = nodes.get(key);
    if (known || nodes.has(key)) return known;
    const latitude = middle.latitude + up * north;
    const place = { latitude, longitude: normaliseLongitude(middle.longitude + right * east) };
    const isWater = Math.abs(latitude) <= 90 && !map.isLand(place);
    const node = isWater ? { up, right, place, km: Number.POSITIVE_INFINITY, isDone: false } : undefined;
    nodes.set(key, node);
    return node;
  }

  /** Finds the ways to all nodes within a distance. */
  function search(withinKm: number): void {
    for (let next = open.peek(); next && next.km <= withinKm; next = open.peek()) {
      const { node } = next;
      open.pop();
      if (node.isDone) continue;
      node.isDone = true;
      for (const [up, right] of moves) {
        const other = nodeAt(node.up + up, node.right + right);
        if (!other || other.isDone) continue;
        const km = node.km + distanceKm(node.place, other.place);
        if (km < other.km && km <= reachKm && map.isClear(node.place, other.place)) reach(other, km);
      }
    }
  }

  const first = nodeAt(0, 0);
  if (first) reach(first, 0);
  return (to) => {
    const up = Math.round((to.latitude - middle.latitude) / north);
    const right = Math.round(normaliseLongitude(to.longitude - middle.longitude) / east);
    const near = around
      .flatMap((rows) => around.map((columns) => nodeAt(up + rows, right + columns)))
      .filter((node) => node !== undefined && map.isClear(node.place, to)) as Node[];
    for (;;) {
      const best = Math.min(...near.map((node) => node.km + distanceKm(node.place, to)));
      const next = open.peek();
      if (near.length === 0 || !next || next.km >= best) return best;
      search(next.km + stepKm);
    }
  };
}

/**
 * Distance between two places by water, around land, km; undefined if the way is longer than `withinKm`. For
 * several places from one, `waysByWater` searches only once.
 */
export function kmByWater(map: WaterMap, from: Place, to: Place, withinKm: number): number | undefined {
  return distanceKm(from, to) > withinKm ? undefined : waysByWater(map, from, withinKm)(to);
}
