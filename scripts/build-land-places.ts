/**
 * Writes test/land-places.json: places at random, and whether they are on the land of the package @geo-maps/earth-lands-10m, by
 * counting the edges of its polygons. The tests hold the tiles and the service to them. Run it as scripts/build-coast.ts says:
 * `node --max-old-space-size=4096 scripts/build-land-places.ts`.
 */
import { writeFileSync } from "node:fs";
import type { Place } from "@open-metocean/geo/sphere";
import { LAND_ZOOM, mercatorLatitude } from "#lib/places/land-tile.ts";
import { landWithin, milesFrom } from "#test/land-of-tiles.ts";
import { seeded } from "#test/seeded.ts";
import { landOfPackage, type Point } from "./osm-land.ts";

/** A third of the places are anywhere on the earth, a third near a coast, and a third along edges of tiles of all zooms. */
const PLACES = 3000;
/** Farthest offset of the latter two from a point of the coast or of an edge, degrees. */
const OFFSET = 0.02;
/** Distances up to this are those from the lines of the coast, and greater ones those from its corners, n mi. */
const NEAR_MILES = 3;
/** Greatest distance that is told, metres. */
const FAR_METRES = 500_000;

const random = seeded(51);
const polygons = landOfPackage().map((rings) => {
  let isLand: ReturnType<typeof landWithin> | undefined;
  const contains = (place: Place) => {
    isLand ??= landWithin(rings as unknown as number[][][]);
    return isLand(place);
  };
  return { rings, box: boxOf(rings[0]!), contains };
});
// The package has islands within waters that count as land here: no coast runs around them.
const islands = polygons.filter((polygon) => {
  const [longitude, latitude] = polygon.rings[0]![0]!;
  return !polygons.some((other) => other !== polygon && isWithin(other, { latitude, longitude }));
});
const edges: [number[], number[]][] = islands.flatMap(({ rings }) =>
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
const corners = Float64Array.from(edges.flatMap(([from]) => from));
const milesOff = milesFrom(edges);
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

const offset = () => (2 * random() - 1) * OFFSET;

const places = Array.from({ length: PLACES }, (_, at) => {
  if (at % 3 === 0) return [(Math.asin(2 * random() - 1) * 180) / Math.PI, 360 * random() - 180];
  if (at % 3 === 1) {
    const [[longitude, latitude]] = edges[Math.floor(random() * edges.length)]!;
    return [latitude! + offset(), longitude! + offset()];
  }
  const count = 2 ** (1 + Math.floor(random() * LAND_ZOOM));
  const [x, y] = [random(), Math.floor(random() * count) / count];
  const [along, across] = random() < 0.5 ? [x, y] : [y, x];
  return [mercatorLatitude(across) + offset(), 360 * along - 180 + offset()];
}).map(([north, east]) => {
  const place = { latitude: round(north!), longitude: round(Math.max(-180, Math.min(180, east!))) };
  // South of the map everything is land.
  const isLand = place.latitude < -85.0511 || polygons.some((polygon) => isWithin(polygon, place));
  const miles = milesOff(place);
  const metres = miles < NEAR_MILES ? miles * 1852 : Math.min(FAR_METRES, metresFromCorners(place));
  return [place.latitude, place.longitude, isLand ? 1 : 0, Math.round(metres)];
});
writeFileSync(
  new URL("../test/land-places.json", import.meta.url),
  `[\n${places.map((place) => JSON.stringify(place)).join(",\n")}\n]\n`,
);
console.log(`${places.filter(([, , isLand]) => isLand).length} of ${places.length} on land`);

function isWithin({ box, contains }: (typeof polygons)[number], place: Place): boolean {
  const { latitude, longitude } = place;
  return (
    longitude >= box.west &&
    longitude <= box.east &&
    latitude >= box.south &&
    latitude <= box.north &&
    contains(place)
  );
}

function metresFromCorners({ latitude, longitude }: Place): number {
  const radius = 6_371_000;
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let least = Math.sin(FAR_METRES / radius / 2) ** 2;
  for (let at = 0; at < corners.length; at += 2) {
    const north = Math.sin(((corners[at + 1]! - latitude) * Math.PI) / 360) ** 2;
    if (north >= least) continue;
    const east = Math.sin(((corners[at]! - longitude) * Math.PI) / 360) ** 2;
    const squared = north + shrink * Math.cos((corners[at + 1]! * Math.PI) / 180) * east;
    if (squared < least) least = squared;
  }
  return 2 * radius * Math.asin(Math.sqrt(least));
}

function boxOf(ring: readonly Point[]) {
  let [west, east, south, north] = [180, -180, 90, -90];
  for (const [longitude, latitude] of ring) {
    [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
  }
  return { west, east, south, north };
}
