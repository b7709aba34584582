import { UnexpectedReplyError } from "./errors.ts";

/** One quantity of a box on its grid. */
export interface FieldBand {
  /** Name as in `conditions` of a JSON answer. */
  name: string;
  /** (rows, columns) row-major, south to north, then west to east; NaN if missing. */
  values: Float64Array<ArrayBuffer>;
}

/** A box at one instant. */
export interface BoxField {
  /** Valid time, Unix seconds. */
  time: number;
  /** Latitudes of the rows, ascending, degrees north. */
  latitude: Float64Array<ArrayBuffer>;
  /** Longitudes of the columns, ascending, degrees east; beyond 180 if the box crosses the antimeridian. */
  longitude: Float64Array<ArrayBuffer>;
  bands: readonly FieldBand[];
  /** The values of a quantity. @throws RangeError if there is no band of this name. */
  band(name: string): Float64Array<ArrayBuffer>;
}

const MAGIC = 0x3146_4f4d;
const FIXED_BYTES = 56;
const LENGTH_BYTES = 4;
const MISSING = -32_768;
const MAX_NODES = 16_000_000;

/**
 * Reads `application/vnd.metocean.field+binary`: for each step four bytes of length, then the frame that
 * `lib/field/frame.ts` of the service describes.
 *
 * @throws UnexpectedReplyError for bytes in another format, and for truncated ones.
 */
export function decodeFields(bytes: Uint8Array): BoxField[] {
  const fields: BoxField[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const length = at + LENGTH_BYTES <= bytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    const start = at + LENGTH_BYTES;
    at = start + length;
    if (at > bytes.length) throw damaged("it is cut off");
    fields.push(decodeField(bytes.subarray(start, at)));
  }
  return fields;
}

function decodeField(bytes: Uint8Array): BoxField {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FIXED_BYTES || view.getUint32(0, true) !== MAGIC)
    throw damaged("it does not begin with MOF1");
  const latitude = axisOf(view, 16);
  const longitude = axisOf(view, 36);
  const nodes = latitude.length * longitude.length;
  if (nodes > MAX_NODES) throw damaged("it is too large");
  const heads: { name: string; scale: number; offset: number }[] = [];
  let at = FIXED_BYTES;
  for (let band = view.getUint16(4, true); band > 0; band--) {
    const named = at + 17;
    const end = named <= bytes.length ? named + bytes[at + 16]! : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw damaged("it ends inside its header");
    const name = String.fromCharCode(...bytes.subarray(named, end));
    heads.push({ name, scale: view.getFloat64(at, true), offset: view.getFloat64(at + 8, true) });
    at = end;
  }
  if (bytes.length !== at + 2 * nodes * heads.length) throw damaged("its size is not that of its grid");
  const bands = heads.map(({ name, scale, offset }, index) => {
    const coded = bytes.subarray(at + 2 * nodes * index, at + 2 * nodes * (index + 1));
    return { name, values: scaled(storedOf(coded, longitude.length), scale, offset) };
  });
  return {
    time: view.getFloat64(8, true),
    latitude,
    longitude,
    bands,
    band: (name) => bandNamed(bands, name),
  };
}

/**
 * The coded form is all low bytes, then all high bytes, of residuals against west + south − south-west,
 * zigzag-coded. Along a row the differences from the southern row are running sums of the residuals.
 */
function storedOf(coded: Uint8Array, width: number): Int16Array {
  const nodes = coded.length / 2;
  const stored = new Int16Array(nodes);
  let difference = 0;
  for (let node = 0; node < nodes; node++) {
    if (node % width === 0) difference = 0;
    const zigzag = coded[node]! | (coded[nodes + node]! << 8);
    difference = (difference + ((zigzag >> 1) ^ -(zigzag & 1))) | 0;
    // The typed array keeps the low 16 bits, as the encoder did.
    stored[node] = node < width ? difference : stored[node - width]! + difference;
  }
  return stored;
}

function scaled(stored: Int16Array, scale: number, offset: number): Float64Array<ArrayBuffer> {
  // Dividing by an integer gives exactly the number in JSON: 345 / 100, not 345 · 0.01.
  const per = 1 / scale;
  const value = Number.isInteger(per) ? (number: number) => number / per : (number: number) => number * scale;
  return Float64Array.from(stored, (number) => (number === MISSING ? Number.NaN : value(number) + offset));
}

/** Coordinates of an axis from start, step and count. */
function axisOf(view: DataView, at: number): Float64Array<ArrayBuffer> {
  const start = view.getFloat64(at, true);
  const step = view.getFloat64(at + 8, true);
  const count = view.getUint32(at + 16, true);
  if (!(step > 0) || !Number.isFinite(start) || count < 1 || count > MAX_NODES)
    throw damaged("an axis is out of range");
  return Float64Array.from({ length: count }, (_, index) => start + index * step);
}

function bandNamed(bands: readonly FieldBand[], name: string): Float64Array<ArrayBuffer> {
  const found = bands.find((band) => band.name === name);
  if (found) return found.values;
  throw new RangeError(`There is no field ${name}; there are ${bands.map((band) => band.name).join(", ")}`);
}

const damaged = (why: string) => new UnexpectedReplyError(`The field cannot be read: ${why}`);
