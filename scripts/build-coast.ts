/**
 * Writes the coast of 1:10 million (public/basemap/coast/*.json) from Natural Earth: the land in cells, so that a view
 * loads only those that it shows, and index.json, which tells which cells are sea, land, or both.
 * Run it after a change of world-atlas: `node scripts/build-coast.ts`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";
import { geoArea, geoEquirectangular } from "d3-geo";
// @ts-expect-error The package has no types.
import { geoProject } from "d3-geo-projection";
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import { clipRing } from "#lib/geo/clip-ring.ts";
import {
  COLUMNS,
  cellFile,
  cellsIn,
  edgesOf,
  OVERLAP,
  type PackedPolygons,
  packRing,
  ROWS,
} from "#lib/geo/coast-cells.ts";

/** Area of all land in square degrees, Natural Earth. */
const LAND_AREA = 21_500;
/** Bytes that a view may load, as they are sent; and its size on a screen of 1440 × 900 at zoom 6, degrees of longitude. */
const MAX_VIEW_BYTES = 150_000;
const [VIEW_WIDTH, VIEW_PIXELS] = [16, [1440, 760]] as const;

const out = new URL("../public/basemap/coast/", import.meta.url);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const file = createRequire(import.meta.url).resolve("world-atlas/land-10m.json");
const topology = JSON.parse(readFileSync(file, "utf8")) as Topology;
const land = feature(topology, topology.objects.land!) as FeatureCollection | Feature;
const degrees = geoEquirectangular()
  .scale(180 / Math.PI)
  .translate([0, 0])
  .precision(0);

const polygons = ("features" in land ? land.features : [land])
  .flatMap(({ geometry }) => (geometry as MultiPolygon).coordinates)
  // Islets whose points fall together would turn inside out, into the whole earth.
  .filter((coordinates) => geoArea({ type: "Polygon", coordinates }) < 2 * Math.PI)
  .flatMap((coordinates) => {
    const projected: MultiPolygon | Polygon = geoProject({ type: "Polygon", coordinates }, degrees);
    const cut = projected.type === "Polygon" ? [projected.coordinates] : projected.coordinates;
    return cut.map((rings) => rings.map((ring) => ring.map(([x = 0, y = 0]): Position => [x, -y])));
  });
const area = polygons.flat().reduce((sum, ring) => sum + signedArea(ring), 0);
if (Math.abs(Math.abs(area) - LAND_AREA) > 0.01 * LAND_AREA) {
  throw new Error(`The land has ${Math.round(area)} square degrees`);
}

const cells: PackedPolygons[] = Array.from({ length: ROWS * COLUMNS }, () => []);
for (const rings of polygons) {
  const [outer = []] = rings;
  for (const cell of cellsIn(extentOf(outer))) {
    const { west, east, south, north } = edgesOf(cell);
    const edges = [west - OVERLAP, south - OVERLAP, east + OVERLAP, north + OVERLAP] as const;
    const packed = rings.map((ring) => packRing(clipRing(ring, edges))).filter(({ length }) => length >= 8);
    if (packed.length > 0) cells[cell]!.push(packed);
  }
}

const bytes = cells.map((packed, cell) => {
  if (kindOf(packed) !== "c") return 0;
  const text = JSON.stringify(packed);
  writeFileSync(new URL(cellFile(cell), out), text);
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
});
const index = Array.from({ length: ROWS }, (_, row) =>
  cells
    .slice(row * COLUMNS, (row + 1) * COLUMNS)
    .map(kindOf)
    .join(""),
);
writeFileSync(new URL("index.json", out), JSON.stringify(index));

const heaviest = heaviestView();
const files = bytes.filter((size) => size > 0).length;
const total = bytes.reduce((sum, size) => sum + size, 0);
console.log(`${files} cells, ${total} bytes; the heaviest view ${JSON.stringify(heaviest)}`);
if (heaviest.bytes > MAX_VIEW_BYTES) throw new Error(`A view loads more than ${MAX_VIEW_BYTES} bytes`);

/** Sea, land without a coast, or both. */
function kindOf(packed: PackedPolygons): "s" | "l" | "c" {
  const [first] = packed;
  if (!first) return "s";
  return packed.length === 1 && first.length === 1 && isRectangle(first[0]!) ? "l" : "c";
}

/** Four corners: a ring that fills its cell. */
function isRectangle(packed: readonly number[]): boolean {
  return (
    packed.length === 10 && packed.every((step, at) => at < 2 || (step === 0) !== (packed[at ^ 1] === 0))
  );
}

/** The view at zoom 6 that loads most, over all places. */
function heaviestView() {
  let most = { bytes: 0, west: 0, south: 0 };
  for (let south = -85; south < 84; south++) {
    const shrink = Math.cos(((south + 2) * Math.PI) / 180);
    const height = (VIEW_WIDTH * VIEW_PIXELS[1] * shrink) / VIEW_PIXELS[0];
    for (let west = -180; west < 180; west++) {
      const view = { west, east: west + VIEW_WIDTH, south, north: Math.min(90, south + height) };
      const sum = cellsIn(view).reduce((size, cell) => size + (bytes[cell] ?? 0), 0);
      if (sum > most.bytes) most = { bytes: sum, west, south };
    }
  }
  return most;
}

function extentOf(ring: readonly Position[]) {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [x = 0, y = 0] of ring) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const side = (edge: number, by: number, limit: number) =>
    by < 0 ? Math.max(-limit, edge + by) : Math.min(limit, edge + by);
  return {
    west: side(west, -OVERLAP, 180),
    east: side(east, OVERLAP, 180),
    south: side(south, -OVERLAP, 90),
    north: side(north, OVERLAP, 90),
  };
}

/** Square degrees, by the shoelace formula; holes have the other sign. */
function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  ring.forEach(([x = 0, y = 0], index) => {
    const [x0 = 0, y0 = 0] = ring[index - 1] ?? ring.at(-1) ?? [];
    sum += x0 * y - x * y0;
  });
  return sum / 2;
}
