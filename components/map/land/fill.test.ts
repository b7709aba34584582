import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { classifyRings, VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { beforeAll, expect, it } from "vitest";
import { LAND_FILE } from "#lib/places/land-file.data.ts";
import { LAND_LAYER, LAND_ZOOM, mercatorX, mercatorY } from "#lib/places/land-tile.ts";
import { LandArchive } from "#server/platform/coast/land-archive.ts";

/** Units of a tile in which MapLibre divides its polygons into triangles, and those of a pixel. */
const [UNITS, PIXEL] = [8192, 16];

const archive = new LandArchive(new URL(`../../../public/basemap/${LAND_FILE}`, import.meta.url));

/** The package by which MapLibre divides polygons into triangles, in its own version. */
let triangulate: (corners: number[], holes: number[]) => number[];
beforeAll(async () => {
  const file = createRequire(createRequire(import.meta.url).resolve("maplibre-gl/package.json")).resolve(
    "earcut",
  );
  triangulate = (await import(file)).default;
});

type Ring = { x: number; y: number }[];

/** Polygons of a tile in MapLibre's units, as MapLibre sorts their rings. */
function polygonsOf(bytes: Uint8Array): Ring[][] {
  const { [LAND_LAYER]: layer } = new VectorTile(new PbfReader(bytes)).layers;
  return Array.from({ length: layer?.length ?? 0 }, (_, at) => layer!.feature(at).loadGeometry()).flatMap(
    (rings) => {
      const scale = UNITS / layer!.extent;
      return classifyRings(rings.map((ring) => ring.map((point) => point.mult(scale))));
    },
  );
}

/** Corners of triangles, x and y by turns. */
function trianglesOf(polygon: Ring[]): number[][] {
  const corners = polygon.flatMap((ring) => ring.flatMap(({ x, y }) => [x, y]));
  const holes = polygon.slice(1).map((_, at) => polygon.slice(0, at + 1).flat().length);
  const indices = triangulate(corners, holes);
  return Array.from({ length: indices.length / 3 }, (_, at) =>
    indices.slice(3 * at, 3 * at + 3).flatMap((index) => [corners[2 * index]!, corners[2 * index + 1]!]),
  );
}

/** Twice the area of a ring, positive if it is closed clockwise. */
function twice(ring: readonly (readonly [number, number])[]): number {
  return ring.reduce((sum, [x, y], at) => {
    const [lastX, lastY] = ring.at(at - 1)!;
    return sum + lastX * y - x * lastY;
  }, 0);
}

/** Pixels by which the area that is filled differs from the area that the lines of a polygon enclose. */
function excess(polygon: Ring[]): number {
  const rings = polygon.map((ring) => Math.abs(twice(ring.map(({ x, y }) => [x, y] as const))));
  const enclosed = 2 * rings[0]! - rings.reduce((sum, area) => sum + area, 0);
  const filled = trianglesOf(polygon).reduce(
    (sum, [ax, ay, bx, by, cx, cy]) => sum + Math.abs((bx! - ax!) * (cy! - ay!) - (cx! - ax!) * (by! - ay!)),
    0,
  );
  return Math.abs(filled - enclosed) / 2 / PIXEL ** 2;
}

it("MapLibre fills what the lines of the land enclose, in every tile of every zoom", () => {
  const wrong = [];
  let count = 0;
  for (let z = 0; z <= LAND_ZOOM; z++)
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++) {
        const bytes = archive.tile(z, x, y);
        if (!bytes) continue;
        count++;
        const most = Math.max(...polygonsOf(bytes).map(excess));
        if (most > 0.5) wrong.push(`${z}/${x}/${y}: ${most} pixels`);
      }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(40_000);
});

it("a line that crosses itself is seen", () => {
  const crossed = [
    [0, 0],
    [800, 800],
    [800, 0],
    [0, 800],
    [0, 0],
  ].map(([x = 0, y = 0]) => ({ x, y }));
  expect(excess([crossed])).toBeGreaterThan(0.5);
});

/** Latitude and longitude, degrees; whether the polygons have land there; metres to their coast. */
type LandPlace = [latitude: number, longitude: number, isLand: 0 | 1, metres: number];

const places = JSON.parse(
  readFileSync(new URL("../../../test/land-places.json", import.meta.url), "utf8"),
) as LandPlace[];

/** Lines are simplified by half a pixel and rounded by less. The finest tiles are within so many metres of the package. */
const [PIXELS, METRES] = [1, 40];

/** Metres of a pixel of zoom 0 at the equator. */
const PIXEL_METRES = 40_075_017 / 512;

/**
 * The number of places that are far enough from the coast to be decided at a zoom, and those that the map fills wrongly.
 *
 * @param shift Pixels by which the map's coast is shifted to the south.
 */
function filledWrongly(z: number, shift = 0) {
  const tiles = new Map<string, number[][]>();
  const wrong: LandPlace[] = [];
  let decided = 0;
  for (const place of places) {
    const [latitude, longitude, isLand, metres] = place;
    if (Math.abs(latitude) > 85.05 || longitude === 180) continue;
    const pixel = (PIXEL_METRES / 2 ** z) * Math.cos((latitude * Math.PI) / 180);
    if (metres < METRES + PIXELS * pixel) continue;
    decided++;
    const y = mercatorY(latitude) * 2 ** z - shift / 512;
    const [column, row] = [Math.floor(mercatorX(longitude) * 2 ** z), Math.floor(y)];
    const key = `${column}/${row}`;
    let triangles = tiles.get(key);
    if (!triangles) {
      const bytes = archive.tile(z, column, row);
      triangles = bytes ? polygonsOf(bytes).flatMap(trianglesOf) : [];
      tiles.set(key, triangles);
    }
    const at = [(mercatorX(longitude) * 2 ** z - column) * UNITS, (y - row) * UNITS] as const;
    if (triangles.some((triangle) => isWithin(triangle, at)) !== (isLand === 1)) wrong.push(place);
  }
  return { wrong, decided };
}

function isWithin([ax, ay, bx, by, cx, cy]: number[], [x, y]: readonly [number, number]): boolean {
  const sides = [
    (bx! - ax!) * (y - ay!) - (by! - ay!) * (x - ax!),
    (cx! - bx!) * (y - by!) - (cy! - by!) * (x - bx!),
    (ax! - cx!) * (y - cy!) - (ay! - cy!) * (x - cx!),
  ];
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

it.each(Array.from({ length: LAND_ZOOM + 1 }, (_, z) => z))(
  "3,000 places, many along the edges of tiles, are filled as the polygons of OpenStreetMap have them: zoom %i",
  (z) => {
    const { wrong, decided } = filledWrongly(z);
    expect(wrong).toEqual([]);
    expect(decided).toBeGreaterThan(1000);
  },
);

it("a coast that is shifted is seen by the same places", () => {
  expect(filledWrongly(4, 12).wrong.length).toBeGreaterThan(5);
  expect(filledWrongly(8, 12).wrong.length).toBeGreaterThan(20);
});
