/**
 * Cuts the land of OpenStreetMap, as the npm package @geo-maps/earth-lands-10m has it, into the vector tiles of the map
 * (public/basemap/land-….pmtiles). Needs 4 GB of memory and three minutes:
 *
 *   npm install --no-save @geo-maps/earth-lands-10m@0.6.0
 *   node --max-old-space-size=4096 scripts/build-coast.ts && node scripts/build-coast-mask.ts
 *
 * The results are committed: the package is 135 MB, and reading it takes a gigabyte.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import polygonClipping, { type MultiPolygon, type Pair, type Polygon, type Ring } from "polygon-clipping";
import { LAND_LAYER, LAND_ZOOM, mercatorX, mercatorY } from "#lib/places/land-tile.ts";
import { landOfPackage, type Point } from "./osm-land.ts";
import { pmtiles, type Tile } from "./pmtiles.ts";

/** Zooms up to which tiles are in the root directory. */
const ROOT_ZOOM = 4;

/**
 * How tiles are cut: units along their side, the tolerance to which their lines are simplified, in units, and the area of the least
 * ring that is kept, in square units. MapLibre draws a tile on 512 to 1024 pixels, so that 4 units of 4096 are half a pixel to one.
 * The finest tiles are enlarged, and are as true as the package.
 */
const [COARSE, FINEST] = [
  { extent: 4096, tolerance: 4, least: 64 },
  { extent: 8192, tolerance: 1, least: 1 },
] as const;

/** Width by which tiles overlap their neighbours, as a share of their side. */
const BUFFER = 1 / 64;

/** Times that crossings are removed from the lines of a tile. */
const TURNS = 2;

/** Distance to which land is continued beyond 180° and the south edge of the map, so that no coast is drawn along the cuts. */
const BEYOND = 2 * BUFFER;

const data = {
  type: "FeatureCollection" as const,
  features: acrossSeam(landOfPackage().map((rings) => rings.map(onSquare))).map((coordinates) => ({
    type: "Feature" as const,
    properties: {},
    geometry: { type: "Polygon" as const, coordinates },
  })),
};

const tiles = [...cut(COARSE, 0, LAND_ZOOM - 1), ...cut(FINEST, LAND_ZOOM, LAND_ZOOM)];
const archive = pmtiles(tiles, ROOT_ZOOM, {
  name: "Land",
  attribution: "© OpenStreetMap contributors, ODbL 1.0",
  vector_layers: [{ id: LAND_LAYER, fields: {}, minzoom: 0, maxzoom: LAND_ZOOM }],
});

const out = new URL("../public/basemap/", import.meta.url);
for (const name of readdirSync(out)) if (name.endsWith(".pmtiles")) rmSync(new URL(name, out));
const name = `land-${createHash("sha256").update(archive).digest("hex").slice(0, 8)}.pmtiles`;
writeFileSync(new URL(name, out), archive);
writeFileSync(
  new URL("../lib/places/land-file.data.ts", import.meta.url),
  `/** Made by scripts/build-coast.ts: the file of the land in public/basemap, named by its content. */\nexport const LAND_FILE = "${name}";\n`,
);
console.log(`${name}: ${tiles.length} tiles, ${archive.length} bytes`);

/** A ring in the square of Web Mercator. Edges along its south are continued beyond it. */
function onSquare(ring: readonly Point[]): Ring {
  const points: Ring = [];
  let last: Pair | undefined;
  for (const [longitude, latitude] of ring) {
    const point: Pair = [mercatorX(longitude), mercatorY(latitude)];
    if (last && Math.abs(last[1] - 1) < 1e-6 && Math.abs(point[1] - 1) < 1e-6)
      points.push([last[0], 1 + BEYOND], [point[0], 1 + BEYOND]);
    points.push(point);
    last = point;
  }
  return points;
}

/** The package cuts land at 180°. Here it continues on both sides of the map, as the land of the other side has it. */
function acrossSeam(polygons: Polygon[]): Polygon[] {
  const isAtSeam = ([outer = []]: Polygon) => outer.some(([x]) => x < BEYOND || x > 1 - BEYOND);
  const box: Ring = [
    [-BEYOND, -1],
    [1 + BEYOND, -1],
    [1 + BEYOND, 2],
    [-BEYOND, 2],
    [-BEYOND, -1],
  ];
  const atSeam = polygons.filter(isAtSeam);
  const turned = (by: number) =>
    polygonClipping.intersection(
      atSeam.map((rings) => rings.map((ring) => ring.map(([x, y]): Pair => [x + by, y]))),
      [box],
    );
  const joined = polygonClipping.union(atSeam, turned(-1), turned(1));
  return [...polygons.filter((polygon) => !isAtSeam(polygon)), ...joined];
}

/** Tiles of some zooms. Tiles that are all land are not divided: so are those within them. */
function* cut(
  { extent, tolerance, least }: { extent: number; tolerance: number; least: number },
  first: number,
  last: number,
): Generator<Tile> {
  const index = new GeoJSONVT(data, {
    coordinates: "unitSquare",
    wrap: false,
    // Beyond the zooms that are asked for, since geojson-vt does not simplify the last one.
    maxZoom: LAND_ZOOM + 4,
    indexMaxZoom: 0,
    tolerance,
    extent,
    buffer: BUFFER * extent,
  });
  const all = [-BUFFER * extent, (1 + BUFFER) * extent] as const;
  const whole: MultiPolygon = [
    [
      [
        [all[0], all[0]],
        [all[1], all[0]],
        [all[1], all[1]],
        [all[0], all[1]],
        [all[0], all[0]],
      ],
    ],
  ];
  const open = [{ z: 0, x: 0, y: 0, isWhole: false }];
  for (const { z, x, y, isWhole } of open) {
    const land = isWhole ? whole : landOf(x, y, z);
    if (land.length === 0) continue;
    const isAll = isWhole || (land.length === 1 && isWholeTile(land[0]!, extent));
    if (z >= first) yield { z, x, y, bytes: encoded(isAll ? whole : land, extent) };
    if (z === last) continue;
    for (const [right, down] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      open.push({ z: z + 1, x: 2 * x + right, y: 2 * y + down, isWhole: isAll });
  }

  function landOf(x: number, y: number, z: number): MultiPolygon {
    const features = index.getTile(z, x, y)?.features ?? [];
    return simple(
      features.map(({ geometry }) => geometry as unknown as Polygon),
      least,
    );
  }
}

/**
 * Land without crossings. Lines that are simplified and rounded cross themselves and each other, and what MapLibre fills between
 * such lines may reach over a whole sea.
 *
 * @param least Area of the least ring that is kept, in units.
 */
function simple(polygons: Polygon[], least: number): MultiPolygon {
  let land = polygons;
  // New corners at the crossings are rounded too, and the next turn removes the crossings that come of it.
  for (let turn = 0; turn < TURNS && land.length > 0; turn++)
    land = polygonClipping
      .union(land as MultiPolygon)
      .map((rings) => rings.map(rounded).filter((ring) => area(ring) >= least))
      .filter(([outer]) => outer);
  return land;
}

function rounded(ring: Ring): Ring {
  return ring.map(([x, y]) => [Math.round(x), Math.round(y)]);
}

function area(ring: Ring): number {
  let twice = 0;
  for (let at = 1; at < ring.length; at++)
    twice += ring[at - 1]![0] * ring[at]![1] - ring[at]![0] * ring[at - 1]![1];
  return Math.abs(twice) / 2;
}

function isWholeTile([outer = [], ...waters]: Polygon, extent: number): boolean {
  return (
    waters.length === 0 &&
    outer.length === 5 &&
    outer.every((point) => point.every((unit) => unit < 0 || unit > extent))
  );
}

function encoded(land: MultiPolygon, extent: number): Uint8Array {
  const feature = { type: 3 as const, tags: {}, geometry: land.flat() };
  const tile = { features: [feature] } as unknown as Parameters<typeof fromGeojsonVt>[0][string];
  return fromGeojsonVt({ [LAND_LAYER]: tile }, { version: 2, extent });
}
