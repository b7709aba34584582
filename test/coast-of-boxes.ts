import { Coast } from "#lib/passage/optimise/coast.ts";
import { COLUMNS, Coastline, ROWS, rasterCell, setBit } from "#lib/passage/optimise/coastline.ts";
import { LAND_ZOOM, LandTile, mercatorX, mercatorY } from "#lib/places/land-tile.ts";

/** Edges of a box of land, degrees. */
interface LandBox {
  south: number;
  north: number;
  west: number;
  east: number;
}

const [TILES, EXTENT, BUFFER] = [2 ** LAND_ZOOM, 16_384, 256];

/** A world of water with boxes of land that have a coastline. Cells that it touches are closed, as around a coast without straits. */
export function coastOfBoxes(...boxes: LandBox[]): Coast {
  const coastline = new Coastline(
    (x, y) =>
      new LandTile(
        boxes.flatMap((box) => ringIn(box, x, y)),
        EXTENT,
      ),
  );
  const [closed, coastal] = [new Uint8Array((ROWS * COLUMNS) / 8), new Uint8Array((ROWS * COLUMNS) / 8)];
  for (const { south, north, west, east } of boxes) {
    for (let row = Math.ceil((south + 90) * 20); row < Math.floor((north + 90) * 20); row++)
      for (let column = Math.ceil((west + 180) * 20); column < Math.floor((east + 180) * 20); column++)
        setBit(closed, row * COLUMNS + column);
    for (let latitude = Math.floor(south - 0.01); latitude <= north; latitude++)
      for (let longitude = Math.floor(west - 0.01); longitude <= east; longitude++) {
        const block = (latitude + 90) * 360 + longitude + 180;
        for (const [cell] of coastline.cellsOfEdges(block)) {
          const at = rasterCell(block, cell);
          setBit(coastal, at.row * COLUMNS + at.column);
          setBit(closed, at.row * COLUMNS + at.column);
        }
      }
  }
  return new Coast({ closed, coastal, coastline });
}

/** The ring of a box in a tile and its buffer, in units of the tile; none if the box lies outside. */
function ringIn({ south, north, west, east }: LandBox, x: number, y: number): Int16Array[] {
  const units = (share: number, tile: number) =>
    Math.max(-BUFFER, Math.min(EXTENT + BUFFER - 1, Math.round((share * TILES - tile) * EXTENT)));
  const [left, right] = [units(mercatorX(west), x), units(mercatorX(east), x)];
  const [top, bottom] = [units(mercatorY(north), y), units(mercatorY(south), y)];
  if (left === right || top === bottom) return [];
  return [Int16Array.of(left, top, right, top, right, bottom, left, bottom, left, top)];
}
