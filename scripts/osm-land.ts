import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Longitude and latitude, degrees. */
export type Point = readonly [longitude: number, latitude: number];

/**
 * Least area of an inland water that is cut out of the land, km². The package has 850,000 of them, as coarse as 2 km: those
 * that are large are seas (the Caspian) or are sailed like seas (the Great Lakes); among the others are pieces of rivers.
 */
const MIN_WATER_KM2 = 500;

/** The land of the npm package @geo-maps/earth-lands-10m (OpenStreetMap, 2017): polygons, each its rings. */
export function landOfPackage(): Point[][][] {
  const file = createRequire(import.meta.url).resolve("@geo-maps/earth-lands-10m/map.geo.json");
  const { geometries } = JSON.parse(readFileSync(file, "utf8")) as {
    geometries: { coordinates: Point[][][] }[];
  };
  return geometries.flatMap(({ coordinates }) =>
    coordinates.map(([outer = [], ...waters]) => [
      outer,
      ...waters.filter((ring) => areaKm2(ring) >= MIN_WATER_KM2),
    ]),
  );
}

/** Kilometres in a degree of latitude. */
const DEGREE_KM = 111.195;

/** Area of a small ring, km². */
function areaKm2(ring: readonly Point[]): number {
  const [x0, y0] = ring[0]!;
  const middle = (y0 + ring[ring.length >> 1]![1]) / 2;
  let twice = 0;
  for (let at = 1; at < ring.length; at++) {
    const [[xa, ya], [xb, yb]] = [ring[at - 1]!, ring[at]!];
    twice += (xa - x0) * (yb - y0) - (xb - x0) * (ya - y0);
  }
  return (Math.abs(twice) / 2) * Math.cos((middle * Math.PI) / 180) * DEGREE_KM ** 2;
}
