import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import type { Position } from "geojson";
import { expect, it } from "vitest";
import {
  CELL,
  type CellNumber,
  COLUMNS,
  cellFile,
  cellsIn,
  edgesOf,
  OVERLAP,
  type PackedPolygons,
  packRing,
  ROWS,
  unpackRing,
} from "#lib/geo/coast-cells.ts";
import { fineCoast, type LandOfCell } from "./fine-coast.ts";

const folder = new URL("../../../public/basemap/coast/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const index = (JSON.parse(read("index.json")) as string[]).join("");

function landOf(cell: CellNumber): LandOfCell {
  if (index[cell] === "s") return { cell, polygons: [] };
  return {
    cell,
    polygons: index[cell] === "l" ? "all" : (JSON.parse(read(cellFile(cell))) as PackedPolygons),
  };
}

const cellAt = (latitude: number, longitude: number) =>
  cellsIn({ west: longitude, east: longitude + 1e-6, south: latitude, north: latitude + 1e-6 })[0]!;

const area = (ring: readonly Position[]) =>
  ring.slice(1).reduce((sum, [x = 0, y = 0], at) => {
    const [x0 = 0, y0 = 0] = ring[at]!;
    return sum + (x0 * y - x * y0) / 2;
  }, 0);

it("packs rings in steps of a thousandth of a degree, without loss beyond that", () => {
  const ring = [
    [-179.9996, 12.3456],
    [-179.5, 12.3457],
    [170.1234, -89.9999],
  ];
  const unpacked = unpackRing(packRing(ring));
  unpacked.forEach(([x = 0, y = 0], at) => {
    expect(Math.abs(x - ring[at]![0]!)).toBeLessThanOrEqual(0.0005001);
    expect(Math.abs(y - ring[at]![1]!)).toBeLessThanOrEqual(0.0005001);
  });
});

it("finds the cells of a view, each once, also across 180° and at the poles", () => {
  expect(cellsIn({ west: -5, east: 5, south: 41, north: 49 }).map(edgesOf)).toEqual([
    { west: -10, east: 0, south: 40, north: 50 },
    { west: 0, east: 10, south: 40, north: 50 },
  ]);
  const across = [175, -185].map((west) => cellsIn({ west, east: west + 10, south: 1, north: 2 }));
  expect(across[0]!.map((cell) => edgesOf(cell).west)).toEqual([170, -180]);
  expect(across[1]).toEqual(across[0]);
  expect(new Set(cellsIn({ west: -400, east: 400, south: -95, north: 95 })).size).toBe(ROWS * COLUMNS);
  expect(cellsIn({ west: -400, east: 400, south: -95, north: 95 })).toHaveLength(ROWS * COLUMNS);
});

it("has a file for each cell with a coast, and no other", () => {
  const named = [...index].flatMap((kind, cell) => (kind === "c" ? [cellFile(cell)] : []));
  expect(readdirSync(folder).sort()).toEqual([...named, "index.json"].sort());
  expect(index).toHaveLength(ROWS * COLUMNS);
});

it("a view at zoom 6 on a wide screen loads at most 150 kB, as files are sent", () => {
  // The server's own compression is slower and better.
  const sent = (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
  const bytes = [...index].map((kind, cell) => (kind === "c" ? sent(read(cellFile(cell))) : 0));
  let most = 0;
  for (let south = -85; south < 80; south++) {
    // 1440 × 760 pixels.
    const height = 8.4 * Math.cos(((south + 2) * Math.PI) / 180);
    for (let west = -180; west < 180; west++) {
      const view = { west, east: west + 16, south, north: south + height };
      most = Math.max(
        most,
        cellsIn(view).reduce((size, cell) => size + bytes[cell]!, 0),
      );
    }
  }
  expect(most).toBeGreaterThan(10_000);
  expect(most).toBeLessThan(150_000);
});

it("divides the land of the earth: nothing is lost, inverted or drawn across the map", () => {
  let [sum, outside] = [0, 0];
  for (const cell of index.split("").keys()) {
    const { west, east, south, north } = edgesOf(cell);
    const [land] = fineCoast([landOf(cell)]).features;
    for (const ring of land!.geometry.coordinates.flat() as Position[][]) {
      sum += area(ring);
      for (const [x = 0, y = 0] of ring) {
        const across = x < west - OVERLAP - 1e-9 || x > east + OVERLAP + 1e-9;
        if (across || y < south - OVERLAP - 1e-9 || y > north + OVERLAP + 1e-9) outside++;
      }
    }
  }
  expect(outside).toBe(0);
  // Of 21,500 square degrees; the overlaps of cells count twice.
  const overlap = (1 + (2 * OVERLAP) / CELL.longitude) * (1 + (2 * OVERLAP) / CELL.latitude);
  expect(Math.abs(sum) / overlap).toBeGreaterThan(21_300);
  expect(Math.abs(sum) / overlap).toBeLessThan(21_700);
});

it("draws no coast where cells were cut, at 180° or at the south pole, and the coast goes on in the next cell", () => {
  const cells = [
    cellAt(65, -179),
    cellAt(65, 179),
    cellAt(-85, 0),
    cellAt(60, 5),
    cellAt(65, 15),
    cellAt(45, 0),
  ];
  for (const cell of cells) {
    const { west, east, south, north } = edgesOf(cell);
    const [, coast] = fineCoast([landOf(cell)]).features;
    let cut = 0;
    for (const line of coast!.geometry.coordinates as Position[][]) {
      line.slice(1).forEach(([x = 0, y = 0], at) => {
        const [x0 = 0, y0 = 0] = line[at]!;
        const along = (one: number, other: number, edge: number) => one === other && one === edge;
        const borders = [west - OVERLAP, east + OVERLAP, 180, -180].some((edge) => along(x, x0, edge));
        const parallels = [south - OVERLAP, north + OVERLAP, -90].some((edge) => along(y, y0, edge));
        if ((borders && y !== y0) || (parallels && x !== x0)) cut++;
      });
    }
    expect(cut).toBe(0);
  }
  // The coasts of neighbours end beyond the edge that they share: they overlap there.
  const ends = (cell: CellNumber) =>
    (fineCoast([landOf(cell)]).features[1]!.geometry.coordinates as Position[][]).flatMap((line) => [
      line[0]!,
      line.at(-1)!,
    ]);
  const east = ends(cellAt(45, -1)).filter(([x = 0]) => Math.abs(x - OVERLAP) < 1e-9);
  const west = ends(cellAt(45, 1)).filter(([x = 0]) => Math.abs(x + OVERLAP) < 1e-9);
  expect(east.length).toBeGreaterThan(0);
  expect(west).toHaveLength(east.length);
});
