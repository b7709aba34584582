import type { Isoline } from "./isolines.ts";

/**
 * A smooth line through some of its points: points nearer together than `minDistance` are dropped, and a Catmull-Rom
 * spline goes through the others, which do not move.
 *
 * @param minDistance Degrees of latitude.
 * @param pieces Pieces that each segment between two points is drawn in.
 */
export function smoothed(line: Isoline, minDistance: number, pieces: number): Isoline {
  const kept = thinned(line, minDistance);
  if (pieces < 2 || kept.length < 6) return { ...line, points: kept };
  const count = kept.length / 2;
  const points: number[] = [];
  const stretches = line.closed ? count : count - 1;
  const turn = line.closed ? wrapOffset(kept) : 0;
  const at = (index: number, axis: 0 | 1) => {
    if (!line.closed) return kept[2 * Math.min(count - 1, Math.max(0, index)) + axis]!;
    const turns = Math.floor(index / count);
    return kept[2 * (index - turns * count) + axis]! + (axis === 0 ? turns * turn : 0);
  };
  for (let index = 0; index < stretches; index++) {
    for (let piece = 0; piece < pieces; piece++) {
      const share = piece / pieces;
      for (const axis of [0, 1] as const) {
        points.push(
          spline(at(index - 1, axis), at(index, axis), at(index + 1, axis), at(index + 2, axis), share),
        );
      }
    }
  }
  if (!line.closed) points.push(kept.at(-2)!, kept.at(-1)!);
  return { ...line, points };
}

/**
 * Cuts a line at the antimeridian, so that maps draw no line across the world.
 *
 * @returns Lines of [longitude, latitude], longitudes in −180..180; a ring repeats its first point.
 */
export function cutLine({ points, closed }: Isoline): [number, number][][] {
  const all = closed ? [...points, points[0]! + wrapOffset(points), points[1]!] : points;
  const lines: [number, number][][] = [];
  let line: [number, number][] = [];
  // Where a line begins on the edge of a copy of the world, its next point decides in which copy it continues.
  const onEdge = Math.abs(all[0]! - 360 * worldOf(all[0]!)) === 180;
  let world = worldOf(onEdge ? (all[0]! + all[2]!) / 2 : all[0]!);
  for (let index = 0; index < all.length; index += 2) {
    const [longitude, latitude] = [all[index]!, all[index + 1]!];
    while (Math.abs(longitude - 360 * world) > 180) {
      const east = longitude > 360 * world;
      const edge = 360 * world + (east ? 180 : -180);
      const [lastLongitude, lastLatitude] = [all[index - 2]!, all[index - 1]!];
      const share = (edge - lastLongitude) / (longitude - lastLongitude);
      const cut = lastLatitude + share * (latitude - lastLatitude);
      line.push([east ? 180 : -180, cut]);
      lines.push(line);
      line = [[east ? -180 : 180, cut]];
      world += east ? 1 : -1;
    }
    line.push([longitude - 360 * world, latitude]);
  }
  lines.push(line);
  return lines.filter((piece) => piece.length > 1);
}

/** Degrees of longitude between the ends of a ring: 0, or ±360 around a pole. */
function wrapOffset(points: readonly number[]): number {
  return 360 * Math.round((points.at(-2)! - points[0]!) / 360);
}

function worldOf(longitude: number): number {
  return Math.round(longitude / 360);
}

function thinned({ points, closed }: Isoline, minDistance: number): number[] {
  const kept: number[] = [points[0]!, points[1]!];
  for (let index = 2; index < points.length; index += 2) {
    const [longitude, latitude] = [points[index]!, points[index + 1]!];
    const narrow = Math.cos((latitude * Math.PI) / 180);
    const away = Math.hypot((longitude - kept.at(-2)!) * narrow, latitude - kept.at(-1)!);
    const last = !closed && index === points.length - 2;
    if (away >= minDistance || last) kept.push(longitude, latitude);
  }
  return kept;
}

/** Catmull-Rom between the second and the third of four values. */
function spline(a: number, b: number, c: number, d: number, share: number): number {
  return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)));
}
