/**
 * Writes the coast at 1:10 million (public/basemap/coast/*.json) from Natural Earth: the land in cells, so that a view
 * loads only the cells that it shows, and index.json, which says which cells are sea, land, or both. Run it after a
 * change of world-atlas: `node scripts/build-coast.ts`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { clipRing } from "@open-metocean/geo/clip-ring";
import { geoArea } from "d3-geo";
import type { Position } from "geojson";
import {
  COLUMNS,
  cellFile,
  cellsIn,
  edgesOf,
  OVERLAP,
  type PackedPolygons,
  packRing,
  ROWS,
} from "#lib/places/coast-cells.ts";
import { checkLand, cutAtAntimeridian, landPolygons } from "./natural-earth.ts";

const out = new URL("../public/basemap/coast/", import.meta.url);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const polygons = landPolygons("10m")
  .map((coordinates) => ({ type: "Polygon" as const, coordinates }))
  // A small islet whose points become equal would invert and cover the whole earth.
  .filter((polygon) => geoArea(polygon) < 2 * Math.PI)
  .flatMap(cutAtAntimeridian);
checkLand(polygons);

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

for (const [cell, packed] of cells.entries())
  if (kindOf(packed) === "c") writeFileSync(new URL(cellFile(cell), out), JSON.stringify(packed));
const kinds = cells.map(kindOf).join("");
const index = Array.from({ length: ROWS }, (_, row) => kinds.slice(row * COLUMNS, (row + 1) * COLUMNS));
writeFileSync(new URL("index.json", out), JSON.stringify(index));
console.log(`${kinds.replace(/[^c]/g, "").length} cells with a coast`);

/** Kind of a cell: sea, land without a coast, or both. */
function kindOf(packed: PackedPolygons): "s" | "l" | "c" {
  const [first] = packed;
  if (!first) return "s";
  return packed.length === 1 && first.length === 1 && isRectangle(first[0]!) ? "l" : "c";
}

/** Whether a ring has four corners and therefore fills its cell. */
function isRectangle(packed: readonly number[]): boolean {
  return (
    packed.length === 10 && packed.every((step, at) => at < 2 || (step === 0) !== (packed[at ^ 1] === 0))
  );
}

/** The bounding box of a ring, enlarged by the overlap of cells. */
function extentOf(ring: readonly Position[]) {
  const [xs, ys] = [0, 1].map((axis) => ring.map((point) => point[axis]!)) as [number[], number[]];
  const least = (values: number[]) => values.reduce((one, other) => Math.min(one, other)) - OVERLAP;
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other)) + OVERLAP;
  return {
    west: Math.max(-180, least(xs)),
    east: Math.min(180, most(xs)),
    south: Math.max(-90, least(ys)),
    north: Math.min(90, most(ys)),
  };
}
