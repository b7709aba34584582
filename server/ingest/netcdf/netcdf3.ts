import { cellsOf, DamagedFileError, type NetcdfFile, type NetcdfVariable, type RawValues } from "./file.ts";
import {
  type ClassicHeader,
  type ClassicVariable,
  HeaderContinuesError,
  numberAt,
  readClassicHeader,
} from "./netcdf3-header.ts";

const FIRST_HEADER_BYTES = 1 << 18;
const CHARACTERS = 2;

/** The bytes of a file, by range. */
interface ByteRanges {
  size: number;
  read(offset: number, length: number): Uint8Array;
}

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

/** Reads a hyperslab in the longest contiguous runs of the file. */
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
  const out = arrayFor(variable.type, cellsOf(count));
  const strides = byteStrides(variable, lengths, recordSize);
  // Trailing dimensions that are read completely form one run with the dimension before them.
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
    for (let i = 0; i < run; i++) out[written + i] = numberAt(view, i * variable.size, variable.type);
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

function arrayFor(type: number, length: number): RawValues {
  switch (type) {
    case 1:
      return new Int8Array(length);
    case 3:
      return new Int16Array(length);
    case 4:
      return new Int32Array(length);
    case 5:
      return new Float32Array(length);
    case 8:
      return new Uint16Array(length);
    case 9:
      return new Uint32Array(length);
    case 7:
    case CHARACTERS:
      return new Uint8Array(length);
    default:
      return new Float64Array(length);
  }
}
