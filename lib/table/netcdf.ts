/** Content of a NetCDF file of doubles and whole numbers. */
export interface NetcdfContent {
  dimensions: readonly { name: string; length: number }[];
  attributes: Readonly<Record<string, string>>;
  variables: readonly NetcdfColumn[];
}

/** Numbers are doubles, arrays whole numbers. */
type Attributes = Readonly<Record<string, string | number | Int32Array>>;

export interface NetcdfColumn {
  name: string;
  /** Slowest first. */
  dimensions: readonly string[];
  attributes: Attributes;
  /** Whole numbers of 32 bits; doubles where left out. */
  isInt?: boolean;
  /** Value at a position in row-major order; NaN = missing. */
  value(position: number): number;
}

const [DIMENSION, VARIABLE, ATTRIBUTE] = [10, 11, 12];
const [CHAR, INT, DOUBLE] = [2, 4, 6];
const [INT_BYTES, DOUBLE_BYTES] = [4, 8];
const VALUES_A_PIECE = 16_384;

const utf8 = new TextEncoder();

/** Writes a NetCDF-3 file with 64-bit offsets (CDF-2), header first and variable after variable, in pieces. */
export function* netcdfPieces(content: NetcdfContent): Generator<Uint8Array, void, undefined> {
  const lengths = content.variables.map(({ dimensions }) => lengthOf(content, dimensions));
  // Offsets have a fixed size, so the length of the header does not depend on them.
  const size = headerOf(content, lengths, 0).length;
  yield headerOf(content, lengths, size);
  for (const [i, { value, isInt }] of content.variables.entries()) {
    for (let from = 0; from < lengths[i]!; from += VALUES_A_PIECE) {
      const count = Math.min(VALUES_A_PIECE, lengths[i]! - from);
      const piece = new DataView(new ArrayBuffer(count * bytesOf({ isInt })));
      for (let at = 0; at < count; at++) {
        if (isInt) piece.setInt32(at * INT_BYTES, value(from + at));
        else piece.setFloat64(at * DOUBLE_BYTES, value(from + at));
      }
      yield new Uint8Array(piece.buffer);
    }
  }
}

function bytesOf({ isInt }: Pick<NetcdfColumn, "isInt">): number {
  return isInt ? INT_BYTES : DOUBLE_BYTES;
}

function lengthOf({ dimensions }: NetcdfContent, names: readonly string[]): number {
  return names.reduce((product, name) => product * dimensions.find((one) => one.name === name)!.length, 1);
}

function headerOf(content: NetcdfContent, lengths: readonly number[], dataStart: number): Uint8Array {
  const { dimensions, attributes, variables } = content;
  const bytes: number[] = [0x43, 0x44, 0x46, 2];
  const int = (value: number) =>
    bytes.push((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  const text = (value: string) => {
    const encoded = utf8.encode(value);
    int(encoded.length);
    for (const byte of encoded) bytes.push(byte);
    while (bytes.length % 4) bytes.push(0);
  };
  const list = (tag: number, count: number) => {
    int(count === 0 ? 0 : tag);
    int(count);
  };
  const attributeList = (all: Attributes) => {
    list(ATTRIBUTE, Object.keys(all).length);
    for (const [name, value] of Object.entries(all)) {
      text(name);
      int(typeof value === "string" ? CHAR : typeof value === "number" ? DOUBLE : INT);
      if (typeof value === "string") text(value);
      else if (typeof value === "object") {
        int(value.length);
        for (const each of value) int(each);
      } else {
        int(1);
        const view = new DataView(new ArrayBuffer(DOUBLE_BYTES));
        view.setFloat64(0, value);
        bytes.push(...new Uint8Array(view.buffer));
      }
    }
  };

  int(0);
  list(DIMENSION, dimensions.length);
  for (const { name, length } of dimensions) {
    text(name);
    int(length);
  }
  attributeList(attributes);
  list(VARIABLE, variables.length);
  let begin = dataStart;
  for (const [i, variable] of variables.entries()) {
    text(variable.name);
    int(variable.dimensions.length);
    for (const name of variable.dimensions) int(dimensions.findIndex((one) => one.name === name));
    attributeList(variable.attributes);
    int(variable.isInt ? INT : DOUBLE);
    int(lengths[i]! * bytesOf(variable));
    int(Math.floor(begin / 2 ** 32));
    int(begin % 2 ** 32);
    begin += lengths[i]! * bytesOf(variable);
  }
  return Uint8Array.from(bytes);
}
