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

/**
 * Natural Earth (public domain) from the npm package world-atlas. @param scale Scale of the map; 10m is 1:10 million.
 */
export function naturalEarth(name: "land" | "countries", scale: "110m" | "50m" | "10m") {
  const topology = JSON.parse(readFileSync(path.join(atlas, `${name}-${scale}.json`), "utf8")) as Topology;
  return { topology, object: topology.objects[name] as GeometryCollection };
}

/** All polygons of the land of 1:50 million, each as its rings. */
export function landPolygons(): Position[][][] {
  const { topology, object } = naturalEarth("land", "50m");
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
