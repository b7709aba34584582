/**
 * Writes test/land-places.json: places at random, and whether they are on the land of the package @geo-maps/earth-lands-10m, by
 * counting the edges of its polygons. The tests hold the tiles and the service to them. Run it as scripts/build-coast.ts says:
 * `node --max-old-space-size=4096 scripts/build-land-places.ts`.
 */
import { writeFileSync } from "node:fs";
import type { Place } from "@open-metocean/geo/sphere";
import { landWithin, milesFrom } from "#test/land-of-tiles.ts";
import { seeded } from "#test/seeded.ts";
import { landOfPackage, type Point } from "./osm-land.ts";

/** Half of the places are anywhere on the earth, and half near a coast, where answers differ first. */
const PLACES = 2000;
/** Farthest offset of the latter from a point of the coast, degrees. */
const OFFSET = 0.02;

const random = seeded(51);
const polygons = landOfPackage().map((rings) => {
  let isLand: ReturnType<typeof landWithin> | undefined;
  const contains = (place: Place) => {
    isLand ??= landWithin(rings as unknown as number[][][]);
    return isLand(place);
  };
  return { rings, box: boxOf(rings[0]!), contains };
});
const edges: [number[], number[]][] = polygons.flatMap(({ rings }) =>
  rings.flatMap((ring) =>
    ring
      .slice(1)
      .map((point, at): [number[], number[]] => [[...ring[at]!], [...point]])
      // Land is cut at 180° and in the south.
      .filter(
        ([[x0, y0], [x1, y1]]) =>
          !(Math.abs(x0!) > 179.9999 && Math.abs(x1!) > 179.9999) && Math.min(y0!, y1!) > -85,
      ),
  ),
);
const milesOff = milesFrom(edges);
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

const places = Array.from({ length: PLACES }, (_, at) => {
  if (at < PLACES / 2) return [(Math.asin(2 * random() - 1) * 180) / Math.PI, 360 * random() - 180];
  const [[longitude, latitude]] = edges[Math.floor(random() * edges.length)]!;
  const offset = () => (2 * random() - 1) * OFFSET;
  return [latitude! + offset(), Math.max(-180, Math.min(180, longitude! + offset()))];
}).map(([latitude, longitude]) => {
  const place = { latitude: round(latitude!), longitude: round(longitude!) };
  const isLand = polygons.some(
    ({ box, contains }) =>
      place.longitude >= box.west &&
      place.longitude <= box.east &&
      place.latitude >= box.south &&
      place.latitude <= box.north &&
      contains(place),
  );
  // South of the map everything is land.
  const metres = Math.round(Math.min(5, milesOff(place)) * 1852);
  return [place.latitude, place.longitude, isLand || place.latitude < -85.0511 ? 1 : 0, metres];
});
writeFileSync(
  new URL("../test/land-places.json", import.meta.url),
  `[\n${places.map((place) => JSON.stringify(place)).join(",\n")}\n]\n`,
);
console.log(`${places.filter(([, , isLand]) => isLand).length} of ${places.length} on land`);

function boxOf(ring: readonly Point[]) {
  let [west, east, south, north] = [180, -180, 90, -90];
  for (const [longitude, latitude] of ring) {
    [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
  }
  return { west, east, south, north };
}
