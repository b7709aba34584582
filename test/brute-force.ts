import { distanceKm, initialBearing, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import TinyQueue from "tinyqueue";
import { measured } from "#lib/passage/limits.ts";
import type { Passing } from "#lib/passage/march.ts";
import { type Order, OVER_COUNTS, severityOf, stormSeverity } from "#lib/passage/optimise/order.ts";
import { pieceState } from "#lib/passage/piece-state.ts";
import { motionAlong, type Vessel, type Weather } from "#lib/passage/vessel.ts";

/** Steps to nodes in 32 different directions. */
const STEPS = Array.from({ length: 7 }, (_, row) => row - 3).flatMap((row) =>
  Array.from({ length: 7 }, (_, column) => [row, column - 3] as const).filter(([a, b]) => coprime(a, b)),
);

function coprime(a: number, b: number): boolean {
  return b === 0 ? Math.abs(a) === 1 : coprime(b, a % b);
}

interface Options {
  vessel: Vessel;
  departure: number;
  nodes: number;
  width: number;
  /**
   * Where given, routes are compared by this order, which includes time beyond limits, and each place is visited once
   * per hour.
   */
  order?: Order;
}

/** Number of hours that a grid with an order distinguishes for each place. */
const LAYERS = 240;

/**
 * The best route on a grid of places, by Dijkstra's algorithm on costs. Without an order the cost is the arrival time,
 * so that each place is reached as early as possible. Each edge uses the weather at its middle in place and time. The
 * grid is square, along the great circle between the two places, which it includes.
 *
 * @param nodes Number between the two places; `width` scales the number on both sides.
 * @returns Seconds, infinite if the place is not reached, and the route.
 */
export function bruteForce(
  from: Place,
  to: Place,
  { vessel, departure, nodes, width, order }: Options,
  weatherAt: (at: Passing) => Weather,
): { seconds: number; way: Place[] } {
  const side = Math.ceil(nodes * width);
  const columns = nodes + 1 + 2 * MARGIN;
  const place = gridAlong(from, to, nodes);
  const layers = order ? LAYERS : 1;
  const costs = new Float64Array((2 * side + 1) * columns * layers).fill(Number.POSITIVE_INFINITY);
  const times = new Float64Array(costs.length);
  const done = new Uint8Array(costs.length);
  const before = new Int32Array(costs.length).fill(-1);
  const heap = new TinyQueue<{ cost: number; node: number }>([], (one, other) => one.cost - other.cost);
  const at = (row: number, column: number) => ((row + side) * columns + column + MARGIN) * layers;
  const placeOf = (node: number): [row: number, column: number] => {
    const cell = Math.floor(node / layers);
    return [Math.floor(cell / columns) - side, (cell % columns) - MARGIN];
  };
  costs[at(0, 0)] = 0;
  times[at(0, 0)] = departure;
  heap.push({ cost: 0, node: at(0, 0) });
  let node = heap.pop()?.node;
  for (; node !== undefined && Math.floor(node / layers) * layers !== at(0, nodes); node = heap.pop()?.node) {
    if (done[node]) continue;
    done[node] = 1;
    const [row, column] = placeOf(node);
    const begun = place(row, column);
    for (const [dr, dc] of STEPS) {
      const [r, c] = [row + dr, column + dc];
      if (Math.abs(r) > side || c < -MARGIN || c > nodes + MARGIN || (!order && done[at(r, c)])) continue;
      const { seconds, weighted } = edgeTo(vessel, begun, place(r, c), times[node]!, weatherAt, order);
      const time = times[node]! + seconds;
      const layer = Math.floor((time - departure) / 3600);
      if (order && !(layer < layers)) continue;
      const next = at(r, c) + (order ? layer : 0);
      const cost = costs[node]! + seconds + OVER_COUNTS * weighted;
      if (cost >= costs[next]!) continue;
      costs[next] = cost;
      times[next] = time;
      before[next] = node;
      heap.push({ cost, node: next });
    }
  }
  const way: Place[] = [];
  for (let at = node ?? -1; at >= 0; at = before[at]!) way.unshift(place(...placeOf(at)));
  return { seconds: node === undefined ? Number.POSITIVE_INFINITY : times[node]! - departure, way };
}

/** Number of nodes beyond both ends. */
const MARGIN = 4;

/**
 * Places by steps to starboard and steps ahead. The grid is flat, which is precise enough for a few hundred miles near
 * the equator.
 */
function gridAlong(from: Place, to: Place, nodes: number): (row: number, column: number) => Place {
  const [dy, dx] = [(to.latitude - from.latitude) / nodes, (to.longitude - from.longitude) / nodes];
  return (row, column) => ({
    latitude: from.latitude + dy * column - dx * row,
    longitude: from.longitude + dx * column + dy * row,
  });
}

function edgeTo(
  vessel: Vessel,
  from: Place,
  to: Place,
  time: number,
  weatherAt: (at: Passing) => Weather,
  order: Order | undefined,
): { seconds: number; weighted: number } {
  const miles = distanceKm(from, to) / MILE_KM;
  const middle = {
    latitude: (from.latitude + to.latitude) / 2,
    longitude: (from.longitude + to.longitude) / 2,
  };
  const course = initialBearing(from, to);
  let seconds = 3600;
  for (let pass = 0; ; pass++) {
    const at = { ...middle, time: time + seconds / 2 };
    const weather = weatherAt(at);
    if (pass === 2) {
      if (!order) return { seconds, weighted: 0 };
      const motion = motionAlong(vessel, course, weather);
      const ratios = measured(weather, pieceState({ course, motion, weather }), order.limits);
      const severities = ratios.map(({ ratio }) => severityOf(ratio));
      const severity = Math.max(0, ...severities, stormSeverity(order.stormsAt(at), order.limits));
      return { seconds, weighted: severity * seconds };
    }
    const { sog } = motionAlong(vessel, course, weather);
    seconds = sog > 0 ? (miles / sog) * 3600 : Number.POSITIVE_INFINITY;
    if (seconds === Number.POSITIVE_INFINITY) return { seconds, weighted: 0 };
  }
}
