/**
 * Cuts the land of OpenStreetMap, as the npm package @geo-maps/earth-lands-10m has it, into the vector tiles of the map
 * (public/basemap/land-….pmtiles). Needs 4 GB of memory and a minute:
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
import { LAND_LAYER, LAND_ZOOM, mercatorX, mercatorY } from "#lib/places/land-tile.ts";
import { landOfPackage, type Point } from "./osm-land.ts";
import { pmtiles, type Tile } from "./pmtiles.ts";

/** Zooms up to which tiles are in the root directory. */
const ROOT_ZOOM = 4;

/**
 * How tiles are cut: units along their side, and the tolerance to which their lines are simplified, in units. MapLibre draws a
 * tile on 512 pixels: a tolerance of 8 units of 4096 is one pixel. The finest tiles are enlarged, and are as true as the package.
 */
const [COARSE, FINEST] = [
  { extent: 4096, tolerance: 8 },
  { extent: 8192, tolerance: 1 },
] as const;

/** Width by which tiles overlap their neighbours, as a share of their side. */
const BUFFER = 1 / 64;

/** Distance to which land is continued beyond 180° and the south edge of the map, so that no coast is drawn along the cuts. */
const BEYOND = 2 * BUFFER;

const data = {
  type: "FeatureCollection" as const,
  features: landOfPackage().map((rings) => ({
    type: "Feature" as const,
    properties: {},
    geometry: { type: "Polygon" as const, coordinates: rings.map(onSquare) },
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

/** A ring in the square of Web Mercator. Edges on its sides and on its south are continued beyond it. */
function onSquare(ring: readonly Point[]): [number, number][] {
  const points: [number, number][] = [];
  const isCut = (one: number, other: number, edge: number) =>
    Math.abs(one - edge) < 1e-6 && Math.abs(other - edge) < 1e-6;
  let last: [number, number] | undefined;
  for (const [longitude, latitude] of ring) {
    const point: [number, number] = [mercatorX(longitude), mercatorY(latitude)];
    if (last) {
      const [x0, y0] = last;
      const [x1, y1] = point;
      if (isCut(x0, x1, 0)) points.push([-BEYOND, y0], [-BEYOND, y1]);
      else if (isCut(x0, x1, 1)) points.push([1 + BEYOND, y0], [1 + BEYOND, y1]);
      else if (isCut(y0, y1, 1)) points.push([x0, 1 + BEYOND], [x1, 1 + BEYOND]);
    }
    points.push(point);
    last = point;
  }
  return points;
}

/** Tiles of some zooms. Tiles that are all land are not divided: so are those within them. */
function* cut(
  { extent, tolerance }: { extent: number; tolerance: number },
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
  const whole = [
    [all[0], all[0]],
    [all[1], all[0]],
    [all[1], all[1]],
    [all[0], all[1]],
    [all[0], all[0]],
  ] as [number, number][];
  const open = [{ z: 0, x: 0, y: 0, isWhole: false }];
  for (const { z, x, y, isWhole } of open) {
    const rings = isWhole ? [whole] : ringsOf(x, y, z);
    if (rings.length === 0) continue;
    const isAll = isWhole || (rings.length === 1 && isWholeTile(rings[0]!, extent));
    if (z >= first) yield { z, x, y, bytes: encoded(isAll ? [whole] : rings, extent) };
    if (z === last) continue;
    for (const [right, down] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      open.push({ z: z + 1, x: 2 * x + right, y: 2 * y + down, isWhole: isAll });
  }

  function ringsOf(x: number, y: number, z: number): [number, number][][] {
    const features = index.getTile(z, x, y)?.features ?? [];
    const rings = features.flatMap(({ geometry }) => geometry as unknown as [number, number][][]);
    return rings.map(withoutRepeats).filter((ring) => ring.length >= 4);
  }
}

/** Points that fall together by rounding are one. */
function withoutRepeats(ring: readonly [number, number][]): [number, number][] {
  return ring.filter(([x, y], at) => at === 0 || x !== ring[at - 1]![0] || y !== ring[at - 1]![1]);
}

function isWholeTile(ring: readonly [number, number][], extent: number): boolean {
  return ring.length === 5 && ring.every((point) => point.every((unit) => unit < 0 || unit > extent));
}

function encoded(geometry: [number, number][][], extent: number): Uint8Array {
  const feature = { type: 3 as const, tags: {}, geometry };
  const tile = { features: [feature] } as unknown as Parameters<typeof fromGeojsonVt>[0][string];
  return fromGeojsonVt({ [LAND_LAYER]: tile }, { version: 2, extent });
}
