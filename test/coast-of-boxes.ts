import { Coast } from "#lib/passage/optimise/coast.ts";
import {
  COLUMNS,
  Coastline,
  cellsOfEdges,
  ROWS,
  rasterCell,
  setBit,
} from "#lib/passage/optimise/coastline.ts";
import { COLUMNS as FILE_COLUMNS, type PackedPolygons, packRing } from "#lib/places/coast-cells.ts";

/** Edges of a box of land, thousandths of a degree. It lies within one file of the coast, of 10° × 10°. */
interface LandBox {
  south: number;
  north: number;
  west: number;
  east: number;
}

/**
 * A world of water with boxes of land that have a coastline. Cells that touch it are closed, as around a coast without
 * straits.
 */
export function coastOfBoxes(...boxes: LandBox[]): Coast {
  const files = new Map<number, PackedPolygons>();
  const [closed, coastal] = [new Uint8Array((ROWS * COLUMNS) / 8), new Uint8Array((ROWS * COLUMNS) / 8)];
  for (const { south, north, west, east } of boxes) {
    const file = Math.floor((south + 90) / 10) * FILE_COLUMNS + Math.floor((west + 180) / 10);
    const corners = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const ring = [packRing(corners)];
    files.set(file, [...(files.get(file) ?? []), ring]);
    for (let row = Math.ceil((south + 90) * 20); row < Math.floor((north + 90) * 20); row++)
      for (let column = Math.ceil((west + 180) * 20); column < Math.floor((east + 180) * 20); column++)
        setBit(closed, row * COLUMNS + column);
    for (const [cell] of cellsOfEdges(file, [ring])) {
      const at = rasterCell(file, cell);
      setBit(coastal, at.row * COLUMNS + at.column);
      setBit(closed, at.row * COLUMNS + at.column);
    }
  }
  return new Coast({ closed, coastal, coastline: new Coastline((file) => files.get(file) ?? []) });
}
