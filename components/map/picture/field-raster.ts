import type { Camera } from "#components/map/map-view.ts";
import { northing } from "#components/map/map-view.ts";
import type { ColourScale } from "#lib/catalog/colours.ts";
import { FILL } from "#lib/catalog/fields.ts";
import type { Frame } from "#lib/field/frame.ts";
import { blendSteps, emptyCell, locate, MIN_VALID_WEIGHT } from "#lib/field/interpolate.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { latitudeOf, worldOf } from "./picture-camera.ts";

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
    const row = rowOf(camera, before, (y + 0.5) * step);
    if (!row) continue;
    for (let x = 0; x < width; x++) {
      const west = columns.west[x]!;
      if (west < 0) continue;
      const [east, eastward] = [columns.east[x]!, columns.eastward[x]!];
      let value = 0;
      for (let band = 0; band < bands; band++) {
        const { scale: unit, offset } = before.bands[band]!;
        let stored = meanOf(before, band, row, west, east, eastward);
        if (later > 0) stored = blendSteps(stored, meanOf(after, band, row, west, east, eastward), later);
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

interface Row {
  /** First node of the row below and above. */
  south: number;
  north: number;
  northward: number;
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

function rowOf(camera: Camera, { grid }: Frame, y: number): Row | undefined {
  const north = northing(camera.centre.latitude);
  const latitude = latitudeOf(north - ((y - camera.height / 2) / worldOf(camera)) * 2 * Math.PI);
  const cell = locate(grid, latitude, grid.longitude.start, emptyCell());
  const { count } = grid.longitude;
  return cell && { south: cell.south * count, north: cell.north * count, northward: cell.northward };
}

/** Mean of the stored numbers of the four corners; NaN where they have less than half of the weight. */
function meanOf(
  { values, perNode }: Frame,
  band: number,
  { south, north, northward }: Row,
  west: number,
  east: number,
  eastward: number,
): number {
  const southWest = values[(south + west) * perNode + band]!;
  const southEast = values[(south + east) * perNode + band]!;
  const northWest = values[(north + west) * perNode + band]!;
  const northEast = values[(north + east) * perNode + band]!;
  let sum = 0;
  let weight = 0;
  let share = (1 - northward) * (1 - eastward);
  if (southWest !== FILL) {
    sum += share * southWest;
    weight += share;
  }
  share = (1 - northward) * eastward;
  if (southEast !== FILL) {
    sum += share * southEast;
    weight += share;
  }
  share = northward * (1 - eastward);
  if (northWest !== FILL) {
    sum += share * northWest;
    weight += share;
  }
  share = northward * eastward;
  if (northEast !== FILL) {
    sum += share * northEast;
    weight += share;
  }
  return weight >= MIN_VALID_WEIGHT - 1e-6 ? sum / weight : Number.NaN;
}
