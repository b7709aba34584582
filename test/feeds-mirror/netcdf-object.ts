import { LRUCache } from "lru-cache";
import { cutPieces, type Piece, type Variant } from "./published.ts";

/** External types of NetCDF-3: tag, octets, and encoder of values, which are big-endian. */
const types = {
  short: {
    tag: 3,
    octets: 2,
    bytes: (values: Float64Array) => Buffer.from(Int16Array.from(values).buffer).swap16(),
  },
  float: {
    tag: 5,
    octets: 4,
    bytes: (values: Float64Array) => Buffer.from(Float32Array.from(values).buffer).swap32(),
  },
  double: { tag: 6, octets: 8, bytes: (values: Float64Array) => Buffer.from(values.slice().buffer).swap64() },
} as const;

type TypeName = keyof typeof types;

/** A text, or a number with its type. */
type AttributeValue = string | readonly [TypeName, number];

export interface NetcdfContent {
  /** Name of this content, for the cache. */
  key: string;
  dimensions: Readonly<Record<string, number>>;
  attributes: Readonly<Record<string, AttributeValue>>;
  variables: readonly NetcdfVariable[];
}

export interface NetcdfVariable {
  name: string;
  type: TypeName;
  dimensions: readonly string[];
  attributes: Readonly<Record<string, AttributeValue>>;
  /** Number of slices along the first dimension in which values are computed; 1 by default. */
  slices?: number;
  /** Values of one slice as they are stored, row-major. */
  values(slice: number): Float64Array;
}

const [DIMENSION, VARIABLE, ATTRIBUTE, TEXT] = [10, 11, 12, 2];
const utf8 = new TextEncoder();

/** Cache of computed slices, 64 MiB. */
const made = new LRUCache<string, Uint8Array>({
  maxSize: 64 * 2 ** 20,
  sizeCalculation: ({ length }) => length,
});

/**
 * A NetCDF-3 file with 64-bit offsets (CDF-2): its header, and slices of values that are computed when they are read.
 */
export function netcdfPieces(content: NetcdfContent, variant: Variant): readonly Piece[] {
  const revised = { ...content.attributes, history: `revision ${variant.revision}` };
  const whole = { ...content, attributes: revised };
  const start = header(whole, 0).length;
  const first = header(whole, start);
  const pieces = content.variables.flatMap((variable) => slicesOf(content, variable, variant));
  return cutPieces([{ length: () => first.length, bytes: () => first }, ...pieces], variant.whole);
}

function slicesOf(content: NetcdfContent, variable: NetcdfVariable, variant: Variant): Piece[] {
  const { slices = 1, name, type } = variable;
  const octets = octetsOf(content, variable);
  return Array.from({ length: slices }, (_, slice) => {
    const isLast = slice === slices - 1;
    const length = octets / slices + (isLast ? padding(octets) : 0);
    const bytes = () => {
      const key = `${content.key}:${variant.hoursEarlier}:${variant.distortion}:${name}:${slice}`;
      const found = made.get(key);
      if (found) return found;
      const values = types[type].bytes(variable.values(slice));
      const padded = isLast ? Buffer.concat([values, new Uint8Array(padding(octets))]) : values;
      if (padded.length <= made.maxSize) made.set(key, padded);
      return padded;
    };
    return { length: () => length, bytes };
  });
}

function octetsOf({ dimensions }: NetcdfContent, variable: NetcdfVariable): number {
  let octets: number = types[variable.type].octets;
  for (const name of variable.dimensions) octets *= dimensions[name]!;
  return octets;
}

/** Number of octets to the next multiple of four. */
function padding(octets: number): number {
  return (4 - (octets % 4)) % 4;
}

/**
 * Writes a header by the NetCDF Classic Format Specification, Unidata. @param begin Offset of the first variable, which
 * is the length of the header.
 */
function header(content: NetcdfContent, begin: number): Uint8Array {
  const out: number[] = [...utf8.encode("CDF"), 2];
  const int = (...values: readonly number[]) => {
    for (const value of values)
      out.push(...new Uint8Array(Buffer.from(Uint32Array.of(value).buffer).swap32()));
  };
  const text = (value: string) => {
    const encoded = utf8.encode(value);
    int(encoded.length);
    out.push(...encoded, ...new Uint8Array(padding(encoded.length)));
  };
  const list = (tag: number, count: number) => int(count === 0 ? 0 : tag, count);
  const attributes = (all: Readonly<Record<string, AttributeValue>>) => {
    list(ATTRIBUTE, Object.keys(all).length);
    for (const [name, value] of Object.entries(all)) {
      text(name);
      if (typeof value === "string") {
        int(TEXT);
        text(value);
        continue;
      }
      const bytes = types[value[0]].bytes(Float64Array.of(value[1]));
      int(types[value[0]].tag, 1);
      out.push(...bytes, ...new Uint8Array(padding(bytes.length)));
    }
  };
  const names = Object.keys(content.dimensions);
  int(0);
  list(DIMENSION, names.length);
  for (const name of names) {
    text(name);
    int(content.dimensions[name]!);
  }
  attributes(content.attributes);
  list(VARIABLE, content.variables.length);
  let offset = begin;
  for (const variable of content.variables) {
    const octets = octetsOf(content, variable) + padding(octetsOf(content, variable));
    text(variable.name);
    int(variable.dimensions.length, ...variable.dimensions.map((name) => names.indexOf(name)));
    attributes(variable.attributes);
    int(types[variable.type].tag, octets, Math.floor(offset / 2 ** 32), offset % 2 ** 32);
    offset += octets;
  }
  return Uint8Array.from(out);
}
