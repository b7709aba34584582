import { distanceKm, initialBearing, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import type { Passing } from "#lib/passage/march.ts";
import { Heap } from "#lib/passage/optimise/heap.ts";
import { motionAlong, type Vessel } from "#lib/passage/vessel.ts";
import type { Weather } from "#lib/passage/weather.ts";

/** Steps to nodes of which no two are in line: 32 directions. */
const STEPS = Array.from({ length: 7 }, (_, row) => row - 3).flatMap((row) =>
  Array.from({ length: 7 }, (_, column) => [row, column - 3] as const).filter(([a, b]) => coprime(a, b)),
);

function coprime(a: number, b: number): boolean {
  return b === 0 ? Math.abs(a) === 1 : coprime(b, a % b);
}

/**
 * The fastest way on a grid of places, by Dijkstra's algorithm on arrival times: each place is reached as early as possible,
 * and each edge is sailed in the weather of its middle in place and time. The grid is square, along the great circle between
 * the two places, which it includes.
 *
 * @param nodes Between the two places; to both sides of them as many again by `width`.
 * @returns Seconds, infinite if the place is not reached, and the way.
 */
export function bruteForce(
  from: Place,
  to: Place,
  { vessel, departure, nodes, width }: { vessel: Vessel; departure: number; nodes: number; width: number },
  weatherAt: (at: Passing) => Weather,
): { seconds: number; way: Place[] } {
  const side = Math.ceil(nodes * width);
  const columns = nodes + 1 + 2 * MARGIN;
  const place = gridAlong(from, to, nodes);
  const arrivals = new Float64Array((2 * side + 1) * columns).fill(Number.POSITIVE_INFINITY);
  const done = new Uint8Array(arrivals.length);
  const before = new Int32Array(arrivals.length).fill(-1);
  const heap = new Heap<number>();
  const at = (row: number, column: number) => (row + side) * columns + column + MARGIN;
  const goal = at(0, nodes);
  arrivals[at(0, 0)] = departure;
  heap.push(departure, at(0, 0));
  for (let node = heap.pop(); node !== undefined && node !== goal; node = heap.pop()) {
    if (done[node]) continue;
    done[node] = 1;
    const [row, column] = [Math.floor(node / columns) - side, (node % columns) - MARGIN];
    const begun = place(row, column);
    for (const [dr, dc] of STEPS) {
      const [r, c] = [row + dr, column + dc];
      if (Math.abs(r) > side || c < -MARGIN || c > nodes + MARGIN || done[at(r, c)]) continue;
      const reached = arrivals[node]! + secondsTo(vessel, begun, place(r, c), arrivals[node]!, weatherAt);
      if (reached >= arrivals[at(r, c)]!) continue;
      arrivals[at(r, c)] = reached;
      before[at(r, c)] = node;
      heap.push(reached, at(r, c));
    }
  }
  const way: Place[] = [];
  for (let node = goal; node >= 0; node = before[node]!)
    way.unshift(place(Math.floor(node / columns) - side, (node % columns) - MARGIN));
  return { seconds: arrivals[goal]! - departure, way };
}

/** Nodes beyond both ends. */
const MARGIN = 4;

/** Places by steps to starboard and steps ahead; flat within the few hundred miles of a grid about the equator. */
function gridAlong(from: Place, to: Place, nodes: number): (row: number, column: number) => Place {
  const [dy, dx] = [(to.latitude - from.latitude) / nodes, (to.longitude - from.longitude) / nodes];
  return (row, column) => ({
    latitude: from.latitude + dy * column - dx * row,
    longitude: from.longitude + dx * column + dy * row,
  });
}

function secondsTo(
  vessel: Vessel,
  from: Place,
  to: Place,
  time: number,
  weatherAt: (at: Passing) => Weather,
): number {
  const miles = distanceKm(from, to) / MILE_KM;
  const middle = {
    latitude: (from.latitude + to.latitude) / 2,
    longitude: (from.longitude + to.longitude) / 2,
  };
  const course = initialBearing(from, to);
  let seconds = 3600;
  for (let pass = 0; pass < 2; pass++) {
    const { sog } = motionAlong(vessel, course, weatherAt({ ...middle, time: time + seconds / 2 }));
    seconds = sog > 0 ? (miles / sog) * 3600 : Number.POSITIVE_INFINITY;
    if (seconds === Number.POSITIVE_INFINITY) return seconds;
  }
  return seconds;
}
