import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FeatureCollection, MultiPolygon } from "geojson";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import type { Place } from "#lib/geo/sphere.ts";
import { unwrap } from "#scripts/rasterise.ts";

const file = createRequire(import.meta.url).resolve("world-atlas/land-10m.json");

/** Bands of latitude by which edges are found, in a degree. */
const BANDS = 20;

/**
 * Whether a place is on land: Natural Earth 1:10 million, by counting the edges east of it. Nothing of it has passed through
 * what the service makes of that land.
 */
export function landOfNaturalEarth(): (place: Place) => boolean {
  const topology = JSON.parse(readFileSync(file, "utf8")) as Topology;
  const land = feature(topology, topology.objects.land!) as FeatureCollection<MultiPolygon>;
  const bands = new Map<number, [x0: number, y0: number, x1: number, y1: number][]>();
  for (const ring of land.features.flatMap(({ geometry }) => geometry.coordinates.flat()).map(unwrap))
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
      // Rings lie on one turn around the earth, or reach into the next.
      for (const turn of [-360, 0, 360]) if (x > longitude + turn) crossings++;
    }
    return crossings % 2 === 1;
  };
}
