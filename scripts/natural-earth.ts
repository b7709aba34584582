import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { geoEquirectangular } from "d3-geo";
// @ts-expect-error The package has no types.
import { geoProject } from "d3-geo-projection";
import type { FeatureCollection, MultiPolygon, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

const require = createRequire(import.meta.url);
const atlas = path.dirname(require.resolve("world-atlas/package.json"));

/** Area of all land in square degrees; an inverted polygon would give 64,800. */
const LAND_AREA = 21_500;

/**
 * Natural Earth (public domain) from the npm package world-atlas. @param scale Scale of the map; 10m is 1:10 million.
 */
export function naturalEarth(name: "land" | "countries", scale: "110m" | "50m" | "10m") {
  const topology = JSON.parse(readFileSync(path.join(atlas, `${name}-${scale}.json`), "utf8")) as Topology;
  return { topology, object: topology.objects[name] as GeometryCollection };
}

/** All polygons of the land, each as its rings. */
export function landPolygons(scale: "50m" | "10m"): Position[][][] {
  const { topology, object } = naturalEarth("land", scale);
  const land = feature(topology, object) as FeatureCollection;
  return land.features.flatMap(({ geometry }) => (geometry as MultiPolygon).coordinates);
}

/**
 * A projection to degrees in the plane. Latitudes point down, as on a screen, because d3 distinguishes land from lakes
 * by the direction of their rings.
 */
const degrees = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0);

/** Cuts lines or polygons at the antimeridian. */
export function cutAtAntimeridian(geometry: GeoJSON.Geometry): Position[][][] {
  const cut = geoProject(geometry, degrees) as Polygon | MultiPolygon | GeoJSON.MultiLineString;
  const parts = cut.type === "MultiPolygon" ? cut.coordinates : [cut.coordinates];
  return parts.map((lines) => lines.map((line) => line.map(([x = 0, y = 0]) => [x, 0 - y])));
}

/** @throws Error where polygons do not cover all land of the earth, or a ring jumps over 180°. */
export function checkLand(polygons: readonly Position[][][]): void {
  let twice = 0;
  let jumps = 0;
  for (const ring of polygons.flat())
    for (const [index, [x = 0, y = 0]] of ring.entries()) {
      const [beforeX = x, beforeY = y] = ring[index - 1] ?? ring.at(-1)!;
      twice += beforeX * y - x * beforeY;
      if (index > 0 && Math.abs(x - beforeX) > 180) jumps++;
    }
  const area = Math.abs(twice / 2);
  if (Math.abs(area - LAND_AREA) > 0.01 * LAND_AREA || jumps > 0)
    throw new Error(`The land has ${Math.round(area)} square degrees; ${jumps} of its lines jump over 180°`);
}
