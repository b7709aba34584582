import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Place } from "@open-metocean/geo/sphere";
import type { FeatureCollection, MultiPolygon } from "geojson";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import { unwrap } from "#scripts/rasterise.ts";

const file = createRequire(import.meta.url).resolve("world-atlas/land-10m.json");

/** Number of bands per degree of latitude by which edges are indexed. */
const BANDS = 20;

/**
 * Whether a place is on land in Natural Earth 1:10 million, by counting the edges east of it. It uses none of the data
 * that the service derives from that land.
 */
export function landOfNaturalEarth(): (place: Place) => boolean {
  const bands = new Map<number, [x0: number, y0: number, x1: number, y1: number][]>();
  for (const ring of rings())
    for (let at = 1; at < ring.length; at++) {
      const [[x0, y0], [x1, y1]] = [ring[at - 1]!, ring[at]!];
      const last = Math.floor(Math.max(y0, y1) * BANDS);
      for (let band = Math.floor(Math.min(y0, y1) * BANDS); band <= last; band++) {
        const edges = bands.get(band) ?? [];
        edges.push([x0, y0, x1, y1]);
        bands.set(band, edges);
      }
    }
  return ({ latitude, longitude }) => {
    let crossings = 0;
    for (const [x0, y0, x1, y1] of bands.get(Math.floor(latitude * BANDS)) ?? []) {
      if (y0 > latitude === y1 > latitude) continue;
      const x = x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0);
      // Rings lie within one turn around the earth, or extend into the next.
      for (const turn of [-360, 0, 360]) if (x > longitude + turn) crossings++;
    }
    return crossings % 2 === 1;
  };
}

function rings(): [number, number][][] {
  const topology = JSON.parse(readFileSync(file, "utf8")) as Topology;
  const land = feature(topology, topology.objects.land!) as FeatureCollection<MultiPolygon>;
  return land.features.flatMap(({ geometry }) => geometry.coordinates.flat()).map(unwrap);
}

type Vector = readonly [number, number, number];

/** Width of the bands by which edges are indexed, degrees. Edges farther away in latitude are ignored. */
const REACH = 0.06;

/**
 * Distance of a place from the coast of Natural Earth 1:10 million, n mi, measured to the chords between neighbouring
 * points of the coast. Infinite beyond about 3 n mi.
 */
export function milesFromNaturalEarth(): (place: Place) => number {
  const bands = new Map<number, [Vector, Vector][]>();
  for (const ring of rings())
    for (let at = 1; at < ring.length; at++) {
      const [[x0, y0], [x1, y1]] = [ring[at - 1]!, ring[at]!];
      // Land is cut at 180°, and that edge is not a coast.
      if (Math.abs(x0) === 180 && x0 === x1) continue;
      const edge: [Vector, Vector] = [onSphere(y0, x0), onSphere(y1, x1)];
      const last = Math.floor((Math.max(y0, y1) + REACH) / REACH);
      for (let band = Math.floor((Math.min(y0, y1) - REACH) / REACH); band <= last; band++) {
        const edges = bands.get(band);
        if (edges) edges.push(edge);
        else bands.set(band, [edge]);
      }
    }
  return ({ latitude, longitude }) => {
    const from = onSphere(latitude, longitude);
    let least = Number.POSITIVE_INFINITY;
    for (const [one, other] of bands.get(Math.floor(latitude / REACH)) ?? []) {
      const [a, ab] = [minus(from, one), minus(other, one)];
      const length = dot(ab, ab);
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, dot(a, ab) / length));
      const to: Vector = [a[0] - share * ab[0], a[1] - share * ab[1], a[2] - share * ab[2]];
      least = Math.min(least, dot(to, to));
    }
    return (Math.sqrt(least) * 6371) / 1.852;
  };
}

function onSphere(latitude: number, longitude: number): Vector {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

const minus = (one: Vector, other: Vector): Vector => [
  one[0] - other[0],
  one[1] - other[1],
  one[2] - other[2],
];
const dot = (one: Vector, other: Vector) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
