import { type Box, unionBox } from "#lib/geo/box.ts";
import { withinGlobe } from "./bbox.ts";

/** A ring: longitude and latitude in turn, degrees, the last place that of the first. */
type Ring = readonly number[];

/**
 * The bounding box of rings. Parts on both sides of the antimeridian have a box across it, where that is the smaller one.
 */
export function boxOfRings(rings: readonly Ring[]): Box {
  return unionBox(rings.map(boxOfRing))!;
}

function boxOfRing(ring: Ring): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (let at = 0; at < ring.length; at += 2) {
    box.west = Math.min(box.west, ring[at]!);
    box.east = Math.max(box.east, ring[at]!);
    box.south = Math.min(box.south, ring[at + 1]!);
    box.north = Math.max(box.north, ring[at + 1]!);
  }
  // All of it beyond 180°, or a part.
  return withinGlobe(box);
}

/** Degrees: a node this near to an edge is on it. */
const EDGE = 1e-9;

/**
 * Which nodes of a grid lie inside rings, on the plane of longitude and latitude as they are written, by the even-odd rule:
 * inner rings are holes. Nodes on an edge are inside. Rings may go on beyond 180°.
 *
 * @param latitude Degrees north.
 * @param longitude Degrees east, −180..180.
 * @returns 1 inside, 0 outside, (rows, columns) row-major.
 */
export function nodesInside(
  rings: readonly Ring[],
  latitude: Float64Array,
  longitude: Float64Array,
): Uint8Array {
  const columns = longitude.length;
  const inside = new Uint8Array(latitude.length * columns);
  for (let row = 0; row < latitude.length; row++) {
    const spans = spansAt(rings, latitude[row]!);
    if (spans.length === 0) continue;
    const covers = (x: number) => {
      const [from, to] = spans[lastUpTo(spans, x + EDGE)] ?? [1, 0];
      return x >= from - EDGE && x <= to + EDGE;
    };
    for (let column = 0; column < columns; column++) {
      const x = longitude[column]!;
      if (covers(x) || covers(x + 360) || (x === 180 && covers(-x))) inside[row * columns + column] = 1;
    }
  }
  return inside;
}

/** Position of the last span that begins up to `x`; −1 where all begin later. */
function lastUpTo(spans: readonly [from: number, to: number][], x: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]![0] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The parts of a parallel that are inside or on an edge, from west to east, without those that lie in others. */
function spansAt(rings: readonly Ring[], y: number): [from: number, to: number][] {
  const crossings: number[] = [];
  const spans: [number, number][] = [];
  for (const ring of rings)
    for (let at = 2; at < ring.length; at += 2) {
      const [x1, y1, x2, y2] = [ring[at - 2]!, ring[at - 1]!, ring[at]!, ring[at + 1]!];
      const [startsHere, endsHere] = [Math.abs(y1 - y) <= EDGE, Math.abs(y2 - y) <= EDGE];
      if (startsHere && endsHere) spans.push([Math.min(x1, x2), Math.max(x1, x2)]);
      else if (endsHere) spans.push([x2, x2]);
      if (y1 > y !== y2 > y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  crossings.sort((a, b) => a - b);
  for (let at = 1; at < crossings.length; at += 2) spans.push([crossings[at - 1]!, crossings[at]!]);
  spans.sort(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [from, to] of spans) {
    const before = joined.at(-1);
    if (before && from <= before[1]) before[1] = Math.max(before[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
