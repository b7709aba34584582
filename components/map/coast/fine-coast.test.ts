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
} from "#lib/places/coast-cells.ts";
import { fineCoast } from "./fine-coast.ts";

const folder = new URL("../../../public/basemap/coast/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const index = (JSON.parse(read("index.json")) as string[]).join("");

/** Lines of the land and of the coast of a cell. */
function drawn(cell: CellNumber) {
  const polygons =
    index[cell] === "s"
      ? []
      : index[cell] === "l"
        ? ("all" as const)
        : (JSON.parse(read(cellFile(cell))) as PackedPolygons);
  const [land, coast] = fineCoast([{ cell, polygons }]).features;
  return {
    land: land!.geometry.coordinates.flat() as Position[][],
    coast: coast!.geometry.coordinates as Position[][],
  };
}

const cellAt = (latitude: number, longitude: number) =>
  cellsIn({ west: longitude, east: longitude + 1e-6, south: latitude, north: latitude + 1e-6 })[0]!;

it("packs rings in steps of a thousandth of a degree, without loss beyond that", () => {
  const ring = [
    [-179.9996, 12.3456],
    [-179.5, 12.3457],
    [170.1234, -89.9999],
  ];
  const losses = unpackRing(packRing(ring)).flatMap((place, at) =>
    place.map((degrees, axis) => Math.abs(degrees - ring[at]![axis]!)),
  );
  expect(Math.max(...losses)).toBeLessThanOrEqual(0.0005001);
});

it("finds the cells of a view, each once, also across 180° and at the poles", () => {
  expect(cellsIn({ west: -5, east: 5, south: 41, north: 49 }).map(edgesOf)).toEqual([
    { west: -10, east: 0, south: 40, north: 50 },
    { west: 0, east: 10, south: 40, north: 50 },
  ]);
  const across = [175, -185].map((west) => cellsIn({ west, east: west + 10, south: 1, north: 2 }));
  expect(across[0]!.map((cell) => edgesOf(cell).west)).toEqual([170, -180]);
  expect(across[1]).toEqual(across[0]);
  const all = cellsIn({ west: -400, east: 400, south: -95, north: 95 });
  expect([all.length, new Set(all).size]).toEqual([ROWS * COLUMNS, ROWS * COLUMNS]);
});

it("has a file for each cell with a coast; a view at zoom 6 on a wide screen loads at most 150 kB of them", () => {
  const named = [...index].flatMap((kind, cell) => (kind === "c" ? [cellFile(cell)] : []));
  expect(readdirSync(folder).sort()).toEqual([...named, "index.json"].sort());
  // The server's own compression is slower and more effective.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const bytes = [...index].map((kind, cell) =>
    kind === "c" ? brotliCompressSync(read(cellFile(cell)), { params }).length : 0,
  );
  let most = 0;
  for (let south = -85; south < 80; south++) {
    // The view is 1440 × 760 pixels.
    const height = 8.4 * Math.cos(((south + 2) * Math.PI) / 180);
    for (let west = -180; west < 180; west++) {
      const cells = cellsIn({ west, east: west + 16, south, north: south + height });
      most = Math.max(
        most,
        cells.reduce((size, cell) => size + bytes[cell]!, 0),
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
    for (const ring of drawn(cell).land) {
      for (const [at, [x = 0, y = 0]] of ring.entries()) {
        const [x0 = 0, y0 = 0] = ring[Math.max(0, at - 1)]!;
        sum += (x0 * y - x * y0) / 2;
        const across = x < west - OVERLAP - 1e-9 || x > east + OVERLAP + 1e-9;
        if (across || y < south - OVERLAP - 1e-9 || y > north + OVERLAP + 1e-9) outside++;
      }
    }
  }
  expect(outside).toBe(0);
  // The expected area is 21,500 square degrees; overlaps of cells count twice.
  const overlap = (1 + (2 * OVERLAP) / CELL.longitude) * (1 + (2 * OVERLAP) / CELL.latitude);
  expect(Math.abs(Math.abs(sum) / overlap - 21_500)).toBeLessThan(200);
});

it.each([
  [65, -179],
  [65, 179],
  [-85, 0],
  [60, 5],
  [65, 15],
  [45, 0],
])("draws no coast where the cell of %d, %d was cut, at 180° or at the south pole", (latitude, longitude) => {
  const cell = cellAt(latitude, longitude);
  const { west, east, south, north } = edgesOf(cell);
  const meridians = [west - OVERLAP, east + OVERLAP, 180, -180];
  const parallels = [south - OVERLAP, north + OVERLAP, -90];
  const cut = drawn(cell).coast.flatMap((line) =>
    line.filter(([x = 0, y = 0], at) => {
      const [x0 = 0, y0 = 0] = line[Math.max(0, at - 1)]!;
      return (
        (x === x0 && y !== y0 && meridians.includes(x)) || (y === y0 && x !== x0 && parallels.includes(y))
      );
    }),
  );
  expect(cut).toEqual([]);
});

it("goes on with the coast in the next cell, beyond the edge that they share", () => {
  const endsAt = (longitude: number, edge: number) =>
    drawn(cellAt(45, longitude))
      .coast.flatMap((line) => [line[0]!, line.at(-1)!])
      .filter(([x = 0]) => Math.abs(x - edge) < 1e-9).length;
  expect(endsAt(-1, OVERLAP)).toBeGreaterThan(0);
  expect(endsAt(1, -OVERLAP)).toBe(endsAt(-1, OVERLAP));
});
