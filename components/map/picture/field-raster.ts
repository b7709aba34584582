import { type Camera, latitudeOf, northing, worldOf } from "#components/map/map-view.ts";
import type { ColourScale } from "#lib/catalog/colours.ts";
import { FILL } from "#lib/catalog/fields.ts";
import type { Frame } from "#lib/field/frame.ts";
import { blendCorners, blendSteps, type Cell, emptyCell, locate } from "#lib/field/interpolate.ts";
import type { FramePair } from "#lib/field/sample.ts";

/** How a field is coloured. */
export type Painting = Pick<ColourScale, "range" | "paints"> & {
  /** RGBA, 256 entries. */
  table: Uint8Array<ArrayBuffer>;
};

/** Pixels as `ImageData` has them. */
export interface Raster {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/**
 * The colours of a field in a Mercator view, sampled as the map's shader does it (components/map/field-shader.ts): four
 * corners weighted by validity, then two steps, then the length of a vector. Transparent where there is no value.
 *
 * @param step CSS pixels a sample.
 */
export function fieldRaster(camera: Camera, pair: FramePair, painting: Painting, step: number): Raster {
  const { before, after, later } = pair;
  const { table, range, paints } = painting;
  const [width, height] = [Math.ceil(camera.width / step), Math.ceil(camera.height / step)];
  const data = new Uint8ClampedArray(4 * width * height);
  const out = new Uint32Array(data.buffer);
  const colours = new Uint32Array(table.buffer, table.byteOffset, table.length / 4);
  const columns = columnsOf(camera, before, width, step);
  const scale = (colours.length - 1) / (range[1] - range[0]);
  const bands = paints === "length" ? 2 : 1;
  for (let y = 0; y < height; y++) {
    const cell = rowOf(camera, before, (y + 0.5) * step);
    if (!cell) continue;
    for (let x = 0; x < width; x++) {
      cell.west = columns.west[x]!;
      if (cell.west < 0) continue;
      [cell.east, cell.eastward] = [columns.east[x]!, columns.eastward[x]!];
      let value = 0;
      for (let band = 0; band < bands; band++) {
        const { scale: unit, offset } = before.bands[band]!;
        let stored = meanOf(before, band, cell);
        if (later > 0) stored = blendSteps(stored, meanOf(after, band, cell), later);
        const here = stored * unit + offset;
        value = bands === 1 ? here : value + here * here;
      }
      if (bands === 2) value = Math.sqrt(value);
      if (Number.isNaN(value)) continue;
      const place = Math.min(colours.length - 1, Math.max(0, (value - range[0]) * scale));
      out[y * width + x] = colours[Math.floor(place + 0.5)]!;
    }
  }
  return { width, height, data };
}

/** Where the pixels of each column lie in the grid; `west` is −1 outside. */
function columnsOf(camera: Camera, { grid }: Frame, width: number, step: number) {
  const cell = emptyCell();
  const west = new Int32Array(width);
  const east = new Int32Array(width);
  const eastward = new Float64Array(width);
  const inside = grid.latitude.start;
  for (let x = 0; x < width; x++) {
    const longitude =
      camera.centre.longitude + (((x + 0.5) * step - camera.width / 2) / worldOf(camera)) * 360;
    const found = locate(grid, inside, longitude, cell);
    west[x] = found ? found.west : -1;
    east[x] = cell.east;
    eastward[x] = cell.eastward;
  }
  return { west, east, eastward };
}

/** The rows about a line of pixels: of each its first node. */
function rowOf(camera: Camera, { grid }: Frame, y: number): Cell | undefined {
  const north = northing(camera.centre.latitude);
  const latitude = latitudeOf(north - ((y - camera.height / 2) / worldOf(camera)) * 2 * Math.PI);
  const cell = locate(grid, latitude, grid.longitude.start, emptyCell());
  const { count } = grid.longitude;
  return cell && { ...cell, south: cell.south * count, north: cell.north * count };
}

/** Mean of the stored numbers of the four corners of a cell, whose rows are the first nodes of them. */
function meanOf({ values, perNode }: Frame, band: number, cell: Cell): number {
  const at = (row: number, column: number) => {
    const value = values[(row + column) * perNode + band]!;
    return value === FILL ? Number.NaN : value;
  };
  const { south, north, west, east } = cell;
  return blendCorners(cell, at(south, west), at(south, east), at(north, west), at(north, east));
}
