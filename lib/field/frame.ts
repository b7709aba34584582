import type { Axis, Grid } from "@open-metocean/geo/grid";
import { FILL } from "#lib/catalog/fill.ts";

/**
 * One step of a few fields on one grid, as the map receives it: the int16 numbers of the archive.
 *
 * Layout, little-endian:
 *
 * | bytes | what |
 * |---|---|
 * | 4 | `MOF1` |
 * | 2 | number of bands, 1..4 |
 * | 2 | 0 |
 * | 8 | valid time, Unix seconds, float64 |
 * | 20 | latitude axis: start float64, step float64, count uint32 |
 * | 20 | longitude axis, likewise |
 * | per band: 16 + 1 + n | scale float64, offset float64, length of the name, name in ASCII |
 * | per band: 2 · rows · columns | all low bytes, then all high bytes, of the residuals |
 *
 * A residual is the stored number minus its Lorenzo prediction (west + south − south-west; rows run south to north),
 * modulo 2¹⁶ and zigzag-coded, so that smooth fields become small numbers with zero high bytes. The frame
 * is meant to be compressed by the transport (gzip, brotli): 0.25° wind of the globe is about 1.7 MB, 1° about 130 kB.
 *
 * A large level is cut into chunks (lib/field/frame-chunks.ts); each is a frame with its own axes.
 */
export interface Frame {
  grid: Grid;
  /** Valid time, Unix seconds. */
  time: number;
  bands: readonly Band[];
  /**
   * Stored numbers, (rows, columns, perNode) row-major, south to north: the bands of a node are adjacent, as textures
   * need them. `FILL` is missing.
   */
  values: Int16Array;
  /** Numbers per node in `values`: one per band, but four for three bands, as there is no texture with three. */
  perNode: number;
}

/** One field of a frame: value = scale · stored + offset. */
export interface Band {
  /** Name of the stored field, ASCII. */
  name: string;
  scale: number;
  offset: number;
}

/** The bytes are not a frame. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly reason: string;
  constructor(reason: string) {
    super(`The map frame is damaged: ${reason}`);
    this.reason = reason;
  }
}

/** Larger than any served grid (a global 0.1° grid has 6.5 M nodes). */
const MAX_NODES = 16_000_000;
const MAX_BANDS = 4;
const MAGIC = 0x3146_4f4d;
const FIXED_BYTES = 56;

/**
 * Writes a frame.
 *
 * @param columns Stored numbers of each band, (rows, columns) row-major, south to north; not changed.
 */
export function encodeFrame(
  grid: Grid,
  time: number,
  bands: readonly Band[],
  columns: readonly Int16Array[],
): Uint8Array<ArrayBuffer> {
  const nodes = grid.latitude.count * grid.longitude.count;
  if (bands.length !== columns.length || columns.some((band) => band.length !== nodes)) {
    throw new FrameError("bands and grid differ in size");
  }
  const names = bands.map(({ name }) => asciiBytes(name));
  const bytes = new Uint8Array(
    frameBytes(
      nodes,
      bands.map(({ name }) => name),
    ),
  );
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, bands.length, true);
  view.setFloat64(8, time, true);
  writeAxis(view, 16, grid.latitude);
  writeAxis(view, 36, grid.longitude);
  let at = FIXED_BYTES;
  for (const [index, { scale, offset }] of bands.entries()) {
    const name = names[index]!;
    view.setFloat64(at, scale, true);
    view.setFloat64(at + 8, offset, true);
    bytes[at + 16] = name.length;
    bytes.set(name, at + 17);
    at += 17 + name.length;
  }
  for (const band of columns) {
    encodeBand(band, grid.longitude.count, bytes.subarray(at, at + 2 * nodes));
    at += 2 * nodes;
  }
  return bytes;
}

/**
 * Reads a frame.
 *
 * @throws FrameError when the bytes are not a complete frame; never reads or writes out of bounds.
 */
export function decodeFrame(bytes: Uint8Array): Frame {
  const { grid, time, bands, at } = readHeader(bytes);
  const nodes = grid.latitude.count * grid.longitude.count;
  const perNode = numbersPerNode(bands.length);
  const values = new Int16Array(nodes * perNode);
  for (let band = 0; band < bands.length; band++) {
    const coded = bytes.subarray(at + 2 * nodes * band, at + 2 * nodes * (band + 1));
    decodeBand(coded, grid.longitude.count, values, band, perNode);
  }
  return { grid, time, bands, values, perNode };
}

/** One band of a frame without the others. */
export interface BandOfFrame extends Band {
  grid: Grid;
  /** Stored numbers, (rows, columns) row-major, south to north. `FILL` is missing. */
  values: Int16Array;
}

/**
 * Reads one band of a frame without decoding the others.
 *
 * @returns undefined if the frame has no band of this name.
 * @throws FrameError as `decodeFrame`.
 */
export function decodeBandOf(bytes: Uint8Array, name: string): BandOfFrame | undefined {
  const { grid, bands, at } = readHeader(bytes);
  const index = bands.findIndex((band) => band.name === name);
  if (index < 0) return undefined;
  const nodes = grid.latitude.count * grid.longitude.count;
  const values = new Int16Array(nodes);
  const coded = bytes.subarray(at + 2 * nodes * index, at + 2 * nodes * (index + 1));
  decodeBand(coded, grid.longitude.count, values, 0, 1);
  return { ...bands[index]!, grid, values };
}

/** Reads the header of a frame and the offset of its numbers. @throws FrameError */
function readHeader(bytes: Uint8Array): Omit<Frame, "values" | "perNode"> & { at: number } {
  if (bytes.length < FIXED_BYTES) throw new FrameError("it is shorter than its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new FrameError("it does not begin with MOF1");
  const bandCount = view.getUint16(4, true);
  if (bandCount < 1 || bandCount > MAX_BANDS) throw new FrameError(`it names ${bandCount} bands`);
  const time = view.getFloat64(8, true);
  const grid = { latitude: readAxis(view, 16), longitude: readAxis(view, 36) };
  const nodes = grid.latitude.count * grid.longitude.count;
  if (!Number.isFinite(time) || nodes > MAX_NODES) throw new FrameError("time or size is out of range");

  const bands: Band[] = [];
  let at = FIXED_BYTES;
  for (let index = 0; index < bandCount; index++) {
    const named = at + 17;
    const end = named <= bytes.length ? named + bytes[at + 16]! : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw new FrameError("it ends inside its header");
    const scale = view.getFloat64(at, true);
    const offset = view.getFloat64(at + 8, true);
    if (!Number.isFinite(scale) || scale === 0 || !Number.isFinite(offset)) {
      throw new FrameError("a band has no scale");
    }
    bands.push({ name: String.fromCharCode(...bytes.subarray(named, end)), scale, offset });
    at = end;
  }
  if (bytes.length !== at + 2 * nodes * bandCount) {
    throw new FrameError(`${bytes.length} bytes instead of ${at + 2 * nodes * bandCount}`);
  }
  return { grid, time, bands, at };
}

/** Size of an uncompressed frame, bytes. @param names Names of its bands. */
export function frameBytes(nodes: number, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + 17 + name.length + 2 * nodes, FIXED_BYTES);
}

/** See `Frame.perNode`. */
export function numbersPerNode(bands: number): number {
  return bands === 3 ? 4 : bands;
}

/**
 * Number at a node, in the band's unit; NaN where it is missing.
 *
 * @param node row · columns + column.
 */
export function valueAtNode(frame: Frame, node: number, band: number): number {
  const stored = frame.values[node * frame.perNode + band]!;
  if (stored === FILL) return Number.NaN;
  const { scale, offset } = frame.bands[band]!;
  return stored * scale + offset;
}

function encodeBand(band: Int16Array, width: number, out: Uint8Array): void {
  const nodes = band.length;
  for (let node = 0, column = 0; node < nodes; node++) {
    const west = column > 0 ? band[node - 1]! : 0;
    const south = node >= width ? band[node - width]! : 0;
    const southWest = column > 0 && node >= width ? band[node - width - 1]! : 0;
    const residual = ((band[node]! - west - south + southWest) << 16) >> 16;
    const coded = (residual << 1) ^ (residual >> 15);
    out[node] = coded;
    out[nodes + node] = coded >> 8;
    if (++column === width) column = 0;
  }
}

/**
 * value − south = (west − south-west) + residual, so along a row the differences from the southern row are
 * running sums of the residuals. The typed array keeps the low 16 bits, as the encoder did.
 */
function decodeBand(
  coded: Uint8Array,
  width: number,
  values: Int16Array,
  band: number,
  perNode: number,
): void {
  const nodes = coded.length / 2;
  const row = width * perNode;
  let node = 0;
  let at = band;
  while (node < nodes) {
    const isFirst = node < width;
    let difference = 0;
    for (const end = node + width; node < end; node++, at += perNode) {
      const zigzag = coded[node]! | (coded[nodes + node]! << 8);
      difference = (difference + ((zigzag >> 1) ^ -(zigzag & 1))) | 0;
      values[at] = isFirst ? difference : values[at - row]! + difference;
    }
  }
}

function writeAxis(view: DataView, at: number, axis: Axis): void {
  view.setFloat64(at, axis.start, true);
  view.setFloat64(at + 8, axis.step, true);
  view.setUint32(at + 16, axis.count, true);
}

function readAxis(view: DataView, at: number): Axis {
  const axis = {
    start: view.getFloat64(at, true),
    step: view.getFloat64(at + 8, true),
    count: view.getUint32(at + 16, true),
  };
  const whole = Number.isFinite(axis.start) && axis.step > 0 && axis.step <= 360;
  if (!whole || Math.abs(axis.start) > 720 || axis.count < 1 || axis.count > MAX_NODES) {
    throw new FrameError("an axis is out of range");
  }
  return axis;
}

function asciiBytes(name: string): Uint8Array {
  if (name.length > 255 || !/^[\x20-\x7e]*$/.test(name)) throw new FrameError("a name is not short ASCII");
  return Uint8Array.from(name, (letter) => letter.charCodeAt(0));
}
