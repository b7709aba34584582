import TinyQueue from "tinyqueue";
import { normaliseLongitude } from "#lib/field/grid.ts";
import { DEGREE_KM, destination, distanceKm, type Place, RADIANS } from "./sphere.ts";

/** What ways by water need of a coast; `Coast` of passages is one. */
export interface WaterMap {
  isLand(place: Place): boolean;
  /** Whether a straight way between two places of water meets no land. */
  isClear(from: Place, to: Place): boolean;
}

/** A place on land is taken for a harbour or a river mouth where water is within this distance, km. */
const HARBOUR_KM = 10;

/** Between two rings, and two places on a ring, on which water is looked for, km. */
const RING_KM = 0.25;

/** Least distance between two nodes of the grid, and the most of them on the way from its middle to its edge. */
const STEP_KM = 0.5;
const MOST_STEPS = 100;

/** From a node to those beside it. With these 16 directions a way is at most 2.8 % too long. */
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

/** The water nearest to a place, and how far away it is; at least 10 km where the map has none so near. */
function shoreOf(map: WaterMap, place: Place): { water?: Place; km: number } {
  if (!map.isLand(place)) return { water: place, km: 0 };
  for (let km = RING_KM; km <= HARBOUR_KM; km += RING_KM) {
    const count = Math.ceil((2 * Math.PI * km) / RING_KM);
    for (let at = 0; at < count; at++) {
      const water = destination(place, (360 * at) / count, km);
      if (!map.isLand(water)) return { water, km };
    }
  }
  return { km: HARBOUR_KM };
}

/**
 * Finds how far places are from one by water, around land: Dijkstra's algorithm on a grid of water about it, each edge of which
 * is clear of the coast, so that no isthmus is too narrow to count. A channel narrower than a step of the grid may be missed.
 * The search goes only as far as the places that are asked for.
 *
 * Ways of places on land, which are taken for harbours, begin at the water nearest to them. Two that are nearer to each other
 * than to water may lie in a river that the map lacks: the way is straight.
 *
 * @param reachKm No way is longer, km. The step of the grid is 0.5 km, and a hundredth of the reach where that is more.
 * @returns Of a function of a place the way to it, km; undefined where none so short is found.
 */
export function waysByWater(map: WaterMap, from: Place, reachKm: number): (to: Place) => number | undefined {
  const start = shoreOf(map, from);
  const grid = start.water && gridAround(map, start.water, reachKm);
  return (to) => {
    const straight = distanceKm(from, to);
    if (straight > reachKm) return undefined;
    const end = shoreOf(map, to);
    if (start.km > 0 && end.km > 0 && straight <= start.km + end.km) return straight;
    if (!start.water || !end.water) return undefined;
    const between = map.isClear(start.water, end.water)
      ? distanceKm(start.water, end.water)
      : grid!(end.water);
    const km = start.km + between + end.km;
    return km <= reachKm ? km : undefined;
  };
}

/** Ways on a grid from its middle to other places of water, km; infinite where there is none within the reach. */
function gridAround(map: WaterMap, middle: Place, reachKm: number): (to: Place) => number {
  const stepKm = Math.max(STEP_KM, reachKm / MOST_STEPS);
  const north = stepKm / DEGREE_KM;
  const east = north / Math.max(0.01, Math.cos(middle.latitude * RADIANS));
  const nodes = new Map<string, Node>();
  const open = new TinyQueue<{ km: number; node: Node }>([], (one, other) => one.km - other.km);
  const reach = (node: Node, km: number) => {
    node.km = km;
    open.push({ km, node });
  };

  /** The node of a place of the grid; undefined on land and beyond the poles. */
  function nodeAt(up: number, right: number): Node | undefined {
    const key = `${up},${right}`;
    const known = nodes.get(key);
    if (known) return known;
    const latitude = middle.latitude + up * north;
    const place = { latitude, longitude: normaliseLongitude(middle.longitude + right * east) };
    if (Math.abs(latitude) > 90 || map.isLand(place)) return undefined;
    const node = { up, right, place, km: Number.POSITIVE_INFINITY, isDone: false };
    nodes.set(key, node);
    return node;
  }

  /** Finds the ways to all nodes that are nearer. */
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
 * How far two places are from each other by water, around land, km; undefined where the way is longer than `withinKm`. For
 * several places from one, `waysByWater` searches once.
 */
export function kmByWater(map: WaterMap, from: Place, to: Place, withinKm: number): number | undefined {
  return distanceKm(from, to) > withinKm ? undefined : waysByWater(map, from, withinKm)(to);
}
