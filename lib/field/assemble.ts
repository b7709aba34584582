import { FILL } from "#lib/catalog/fields.ts";
import { type Frame, numbersPerNode } from "./frame.ts";
import { coordinate, type Grid } from "./grid.ts";
import { type Cell, emptyCell, locate, MIN_VALID_WEIGHT } from "./interpolate.ts";

/** A frame in which everything is missing. */
export function blankFrame(grid: Grid, { time, bands }: Pick<Frame, "time" | "bands">): Frame {
  const perNode = numbersPerNode(bands.length);
  const values = new Int16Array(grid.latitude.count * grid.longitude.count * perNode).fill(FILL);
  return { grid, time, bands, values, perNode };
}

/**
 * Copies a chunk to its place in a frame of the same spacing and bands; nodes outside the frame are skipped.
 *
 * @param frame Written. Its longitudes may continue past 180.
 */
export function pasteChunk(frame: Frame, chunk: Frame): void {
  const { latitude: rows, longitude: columns } = frame.grid;
  const { latitude: chunkRows, longitude: chunkColumns } = chunk.grid;
  const { perNode } = frame;
  const turn = Math.round(360 / columns.step);
  const south = Math.round((chunkRows.start - rows.start) / rows.step);
  const west = Math.round((chunkColumns.start - columns.start) / columns.step);
  for (const from of [west - turn, west, west + turn]) {
    const first = Math.max(0, from);
    const end = Math.min(columns.count, from + chunkColumns.count);
    if (first >= end) continue;
    for (let row = Math.max(0, south); row < Math.min(rows.count, south + chunkRows.count); row++) {
      const at = ((row - south) * chunkColumns.count + first - from) * perNode;
      const part = chunk.values.subarray(at, at + (end - first) * perNode);
      frame.values.set(part, (row * columns.count + first) * perNode);
    }
  }
}

/**
 * Fills a frame from a coarser one with the same bands, by the sampler of the API (bilinear over the valid corners),
 * rounded to stored numbers.
 *
 * @param frame Written.
 */
export function spreadCoarse(frame: Frame, coarse: Frame): void {
  const { latitude: rows, longitude: columns } = frame.grid;
  const { perNode, bands, values } = frame;
  const width = coarse.grid.longitude.count;
  const across = cellsOf(columns.count, (column, cell) =>
    locate(coarse.grid, coarse.grid.latitude.start, coordinate(columns, column), cell),
  );
  const along = cellsOf(rows.count, (row, cell) =>
    locate(coarse.grid, coordinate(rows, row), coarse.grid.longitude.start, cell),
  );
  for (let row = 0; row < rows.count; row++) {
    const lines = along[row];
    if (!lines) continue;
    const { northward } = lines;
    const south = lines.south * width;
    const north = lines.north * width;
    for (let column = 0; column < columns.count; column++) {
      const cell = across[column];
      if (!cell) continue;
      const { eastward, west, east } = cell;
      const at = (row * columns.count + column) * perNode;
      for (let band = 0; band < bands.length; band++) {
        let sum = 0;
        let weight = 0;
        for (let corner = 0; corner < 4; corner++) {
          const node = (corner < 2 ? south : north) + (corner % 2 === 0 ? west : east);
          const stored = coarse.values[node * perNode + band]!;
          const share =
            (corner < 2 ? 1 - northward : northward) * (corner % 2 === 0 ? 1 - eastward : eastward);
          if (stored === FILL || share === 0) continue;
          sum += share * stored;
          weight += share;
        }
        values[at + band] = weight >= MIN_VALID_WEIGHT ? Math.round(sum / weight) : FILL;
      }
    }
  }
}

/** The cells of the nodes of an axis; undefined for a node outside the grid. */
function cellsOf(count: number, find: (index: number, cell: Cell) => Cell | undefined): (Cell | undefined)[] {
  return Array.from({ length: count }, (_, index) => find(index, emptyCell()));
}
