import type { ByteSource } from "@open-metocean/grib2/byte-source";
import {
  type Attributes,
  type AttributeValue,
  cellsOf,
  DamagedFileError,
  type Dimension,
  type NetcdfFile,
  type NetcdfVariable,
  type RawValues,
} from "./file.ts";

const FIRST_HEADER_BYTES = 1 << 18;
const CHARACTERS = 2;

type ByteRanges = Pick<ByteSource, "size" | "read">;

/**
 * Opens a NetCDF-3 file: classic, 64-bit offset or 64-bit data, with or without records.
 *
 * @throws DamagedFileError if the header is inconsistent or the file is shorter than it states.
 */
export function openNetcdf3(source: ByteRanges): NetcdfFile {
  const header = headerOf(source);
  const byName = new Map(header.variables.map((variable) => [variable.name, variable]));
  const variables = new Map<string, NetcdfVariable>(
    header.variables.map(({ name, dimensions, attributes, type }) => [
      name,
      { name, dimensions, attributes, numeric: type !== CHARACTERS, float: type === 5 || type === 6 },
    ]),
  );
  return {
    attributes: header.attributes,
    variables,
    read(name, start, count) {
      const variable = byName.get(name);
      if (!variable) throw new DamagedFileError(`the file has no variable ${name}`);
      return readHyperslab(source, variable, header.recordSize, start, count);
    },
    close() {},
  };
}

function headerOf(source: ByteRanges): ClassicHeader {
  for (let length = FIRST_HEADER_BYTES; ; length *= 8) {
    const bytes = source.read(0, Math.min(length, source.size));
    try {
      return readClassicHeader(bytes, source.size);
    } catch (error) {
      if (!(error instanceof HeaderContinuesError)) throw error;
    }
  }
}

/** Reads a hyperslab in the longest contiguous ranges of the file. */
function readHyperslab(
  source: ByteRanges,
  variable: ClassicVariable,
  recordSize: number,
  start: readonly number[],
  count: readonly number[],
): RawValues {
  const lengths = variable.dimensions.map(({ length }) => length);
  if (lengths.some((length, axis) => !(start[axis]! >= 0 && start[axis]! + count[axis]! <= length))) {
    throw new DamagedFileError(`variable ${variable.name} has no values at ${start.join(", ")}`);
  }
  const [, ArrayOfType, numberAt] = types[variable.type]!;
  const out = new ArrayOfType(cellsOf(count));
  const strides = byteStrides(variable, lengths, recordSize);
  // Trailing dimensions that are read completely form one range with the dimension before them.
  let inner = lengths.length;
  let run = 1;
  while (inner > 0 && (inner === lengths.length || count[inner] === lengths[inner])) {
    if (inner === 1 && variable.record) break;
    inner--;
    run *= count[inner]!;
  }
  const index = new Array<number>(inner).fill(0);
  const inside = strides.slice(inner).reduce((sum, stride, i) => sum + stride * start[inner + i]!, 0);
  for (let written = 0; written < out.length; written += run) {
    let offset = variable.begin + inside;
    for (let axis = 0; axis < inner; axis++) offset += (start[axis]! + index[axis]!) * strides[axis]!;
    const bytes = source.read(offset, run * variable.size);
    if (bytes.length < run * variable.size) throw new DamagedFileError("the file is cut short");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < run; i++) out[written + i] = numberAt(view, i * variable.size);
    for (let axis = inner - 1; axis >= 0 && ++index[axis]! === count[axis]; axis--) index[axis] = 0;
  }
  return out;
}

function byteStrides(variable: ClassicVariable, lengths: readonly number[], recordSize: number): number[] {
  const strides = new Array<number>(lengths.length);
  let stride = variable.size;
  for (let axis = lengths.length - 1; axis >= 0; axis--) {
    strides[axis] = axis === 0 && variable.record ? recordSize : stride;
    stride *= lengths[axis]!;
  }
  return strides;
}

/** External types of the classic formats by tag, big-endian: bytes per value, array type, and read method. */
const types: Readonly<
  Record<
    number,
    [size: number, array: new (length: number) => RawValues, at: (view: DataView, at: number) => number]
  >
> = {
  1: [1, Int8Array, (view, at) => view.getInt8(at)],
  [CHARACTERS]: [1, Uint8Array, (view, at) => view.getUint8(at)],
  3: [2, Int16Array, (view, at) => view.getInt16(at)],
  4: [4, Int32Array, (view, at) => view.getInt32(at)],
  5: [4, Float32Array, (view, at) => view.getFloat32(at)],
  6: [8, Float64Array, (view, at) => view.getFloat64(at)],
  7: [1, Uint8Array, (view, at) => view.getUint8(at)],
  8: [2, Uint16Array, (view, at) => view.getUint16(at)],
  9: [4, Uint32Array, (view, at) => view.getUint32(at)],
  10: [8, Float64Array, (view, at) => Number(view.getBigInt64(at))],
  11: [8, Float64Array, (view, at) => Number(view.getBigUint64(at))],
};

interface ClassicVariable {
  name: string;
  dimensions: Dimension[];
  attributes: Attributes;
  /** Tag of the external type, 1..11. */
  type: number;
  /** Bytes of one value. */
  size: number;
  /** Offset of its values, or of its part of the first record. */
  begin: number;
  /** Whether its first dimension is the record dimension. */
  record: boolean;
}

interface ClassicHeader {
  attributes: Attributes;
  variables: ClassicVariable[];
  /** Bytes from one record to the next. */
  recordSize: number;
}

/** The header is longer than the given bytes. */
class HeaderContinuesError extends Error {
  override readonly name = "HeaderContinuesError";
}

/**
 * Reads the header of a classic (CDF-1), 64-bit offset (CDF-2) or 64-bit data (CDF-5) file.
 *
 * Layout: NetCDF Classic Format Specification, Unidata. Every count is checked against the size of the file before
 * memory of that size is allocated.
 *
 * @param bytes The beginning of the file.
 * @param fileSize Bytes of the whole file.
 * @throws HeaderContinuesError if the header extends past `bytes` but not past the file.
 * @throws DamagedFileError if it extends past the file or is inconsistent.
 */
function readClassicHeader(bytes: Uint8Array, fileSize: number): ClassicHeader {
  const cursor = new Cursor(bytes, fileSize);
  const version = cursor.start();
  const wide = version === 5;
  let records = cursor.count(wide);
  const dimensions = cursor.list(10, wide, () => ({ name: cursor.name(wide), length: cursor.count(wide) }));
  const recordDimension = dimensions.findIndex(({ length }) => length === 0);
  const attributes = readAttributes(cursor, wide);
  const variables = cursor.list(11, wide, () => {
    const name = cursor.name(wide);
    const ids = Array.from({ length: cursor.length(wide, wide ? 8 : 4) }, () => cursor.count(wide));
    const own = readAttributes(cursor, wide);
    const type = cursor.unsigned(4);
    cursor.count(wide); // vsize is redundant, and wrong in files with variables over 4 GiB.
    const begin = cursor.unsigned(version === 1 ? 4 : 8);
    const size = types[type]?.[0];
    if (size === undefined) throw new DamagedFileError(`variable ${name} has the unknown type ${type}`);
    const axes = ids.map((id, position) => {
      const dimension = dimensions[id];
      if (!dimension || (id === recordDimension && position > 0)) {
        throw new DamagedFileError(`variable ${name} has an impossible dimension`);
      }
      return { ...dimension };
    });
    return {
      name,
      dimensions: axes,
      attributes: own,
      type,
      size,
      begin,
      record: recordDimension >= 0 && ids[0] === recordDimension,
    };
  });
  const recordSize = sizeOfRecord(variables);
  // A file that was copied while being written has the mark "streaming" instead of a count.
  if (records === 0xffffffff || records === Number.MAX_SAFE_INTEGER) {
    const begin = Math.min(...variables.filter(({ record }) => record).map((variable) => variable.begin));
    records = recordSize > 0 ? Math.floor(Math.max(0, fileSize - begin) / recordSize) : 0;
  }
  for (const variable of variables) {
    if (variable.record) variable.dimensions[0]!.length = records;
    checkExtent(variable, recordSize, records, fileSize);
  }
  return { attributes, variables, recordSize };
}

/** Size of a record, whose parts are padded to four bytes. A single part is not padded. */
function sizeOfRecord(variables: readonly ClassicVariable[]): number {
  const parts = variables
    .filter(({ record }) => record)
    .map(({ dimensions, size }) => cellsOf(dimensions.slice(1).map(({ length }) => length)) * size);
  if (parts.length === 1) return parts[0]!;
  return parts.reduce((sum, part) => sum + padded(part), 0);
}

function checkExtent(variable: ClassicVariable, recordSize: number, records: number, fileSize: number): void {
  const lengths = variable.dimensions.map(({ length }) => length);
  const bytes = variable.record
    ? records === 0
      ? 0
      : (records - 1) * recordSize + cellsOf(lengths.slice(1)) * variable.size
    : cellsOf(lengths) * variable.size;
  if (variable.begin + bytes > fileSize) {
    throw new DamagedFileError(
      `the file is cut short: variable ${variable.name} ends at byte ${variable.begin + bytes} of ${fileSize}`,
    );
  }
}

function readAttributes(cursor: Cursor, wide: boolean): Attributes {
  const entries = cursor.list(12, wide, (): [string, AttributeValue] => {
    const name = cursor.name(wide);
    const type = cursor.unsigned(4);
    const size = types[type]?.[0];
    if (size === undefined) throw new DamagedFileError(`attribute ${name} has the unknown type ${type}`);
    const length = cursor.length(wide, size);
    if (type === CHARACTERS) return [name, cursor.text(length)];
    const values = Array.from({ length }, () => cursor.value(type));
    cursor.pad(length * size);
    return [name, values.length === 1 ? values[0]! : values];
  });
  return Object.fromEntries(entries);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

/** A big-endian reader that never passes the end of the file. */
class Cursor {
  private position = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly fileSize: number;

  constructor(bytes: Uint8Array, fileSize: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.fileSize = fileSize;
  }

  /** Reads the magic number. @returns The version: 1, 2 or 5. */
  start(): number {
    const at = this.take(4);
    const version = this.bytes[at + 3]!;
    const magic = this.view.getUint32(at) >>> 8;
    if (magic !== 0x434446 || (version !== 1 && version !== 2 && version !== 5)) {
      throw new DamagedFileError("the file does not begin as NetCDF-3 does");
    }
    return version;
  }

  take(length: number): number {
    const at = this.position;
    if (at + length > this.fileSize) throw new DamagedFileError("the file is cut short inside its header");
    if (at + length > this.bytes.length) throw new HeaderContinuesError();
    this.position += length;
    return at;
  }

  unsigned(size: 4 | 8): number {
    const at = this.take(size);
    if (size === 4) return this.view.getUint32(at);
    const value = this.view.getBigUint64(at);
    return value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(value);
  }

  count(wide: boolean): number {
    return this.unsigned(wide ? 8 : 4);
  }

  /** Reads a count of entries of at least `size` bytes each, which must fit into the file. */
  length(wide: boolean, size: number): number {
    const length = this.count(wide);
    if (length * size > this.fileSize - this.position) {
      throw new DamagedFileError(`the header promises ${length} entries, more than the file has bytes for`);
    }
    return length;
  }

  list<Item>(tag: number, wide: boolean, item: () => Item): Item[] {
    const found = this.unsigned(4);
    const length = this.length(wide, 4);
    if (found !== tag && !(found === 0 && length === 0)) {
      throw new DamagedFileError(`the header has a list with the tag ${found} where ${tag} belongs`);
    }
    return Array.from({ length }, item);
  }

  name(wide: boolean): string {
    return this.text(this.length(wide, 1));
  }

  text(length: number): string {
    const at = this.take(padded(length));
    return new TextDecoder().decode(this.bytes.subarray(at, at + length)).replace(/\0+$/, "");
  }

  pad(length: number): void {
    this.take(padded(length) - length);
  }

  value(type: number): number {
    const [size, , numberAt] = types[type]!;
    return numberAt(this.view, this.take(size));
  }
}
