import { unwrappedLine } from "./ring.ts";
import type { Place } from "./sphere.ts";

/** Cuts a line where it crosses 180°, as RFC 7946 (3.1.9) requires: each part stays on one side. */
export function splitLine(line: readonly Place[]): Place[][] {
  const path = unwrappedLine(line);
  const parts: Place[][] = [];
  let part: Place[] = [];
  for (const [index, vertex] of path.entries()) {
    const before = path[index - 1];
    if (before && turnsOf(before) !== turnsOf(vertex)) {
      const cut = crossing(before, vertex);
      parts.push([...part, at(cut, turnsOf(before))]);
      part = [at(cut, turnsOf(vertex))];
    }
    part.push(at(vertex, turnsOf(vertex)));
  }
  return [...parts, part].filter(goesOn);
}

/** Whether a part has a length; the part of a line that only touches 180° has none. */
function goesOn([first, ...rest]: readonly Place[]): boolean {
  return rest.some(
    ({ latitude, longitude }) => latitude !== first!.latitude || longitude !== first!.longitude,
  );
}

/**
 * Cuts a closed ring at 180° into closed rings that each lie on one side, with the same orientation.
 *
 * The interior of the ring joins its crossings with a meridian in pairs when they are sorted by latitude;
 * each part is closed along that pair.
 */
export function splitRing(ring: readonly Place[]): Place[][] {
  const path = unwrappedLine(ring);
  const begin = path.findIndex((vertex, index) => index > 0 && turnsOf(path[index - 1]!) !== turnsOf(vertex));
  if (begin < 0) return [path.map((vertex) => at(vertex, turnsOf(vertex)))];
  const chains = chainsFrom(path, begin);
  const crossings = chains.map(({ vertices }) => vertices[0]!.latitude).sort((a, b) => a - b);
  const partner = (latitude: number) => crossings[crossings.indexOf(latitude) ^ 1]!;
  const rings: Place[][] = [];
  const left = new Set(chains);
  for (const first of chains) {
    if (!left.delete(first)) continue;
    const vertices = [...first.vertices];
    for (;;) {
      const entry = partner(vertices.at(-1)!.latitude);
      const next = [...left].find(
        (chain) => chain.turns === first.turns && chain.vertices[0]!.latitude === entry,
      );
      if (!next) break;
      left.delete(next);
      vertices.push(...next.vertices);
    }
    rings.push([...vertices, vertices[0]!]);
  }
  return rings;
}

interface Chain {
  turns: number;
  /** Vertices from one crossing to the next. */
  vertices: Place[];
}

/** The parts of a closed path from one crossing to the next. @param begin First vertex after a crossing. */
function chainsFrom(path: readonly Place[], begin: number): Chain[] {
  const corners = path.slice(0, -1);
  const chains: Chain[] = [];
  for (let step = 0; step < corners.length; step++) {
    // The path is closed, but its end may be 360° from its beginning, so only neighbours within it are
    // compared.
    const index = ((begin + step - 1) % corners.length) + 1;
    const [before, vertex] = [path[index - 1]!, path[index]!];
    const turns = turnsOf(vertex);
    if (turnsOf(before) !== turns) {
      const cut = crossing(before, vertex);
      chains.at(-1)?.vertices.push(at(cut, turnsOf(before)));
      chains.push({ turns, vertices: [at(cut, turns)] });
    }
    chains.at(-1)!.vertices.push(at(vertex, turns));
  }
  const first = chains[0]!.vertices[0]!;
  chains.at(-1)!.vertices.push({ latitude: first.latitude, longitude: -first.longitude });
  return chains;
}

/** Whole turns of a longitude: 0 in −180 ≤ λ < 180. */
function turnsOf({ longitude }: Place): number {
  return Math.floor((longitude + 180) / 360);
}

function crossing(from: Place, to: Place): Place {
  const longitude = 360 * Math.max(turnsOf(from), turnsOf(to)) - 180;
  const share = (longitude - from.longitude) / (to.longitude - from.longitude);
  return { latitude: from.latitude + (to.latitude - from.latitude) * share, longitude };
}

function at({ latitude, longitude }: Place, turns: number): Place {
  return { latitude, longitude: longitude - 360 * turns };
}
