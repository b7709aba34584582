/** Value of an attribute: text, one number, or several. */
export type AttributeValue = string | number | readonly number[];

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface Dimension {
  name: string;
  length: number;
}

export interface NetcdfVariable {
  name: string;
  /** Slowest first. */
  dimensions: readonly Dimension[];
  attributes: Attributes;
  /** Whether its values are numbers. Text, compound and opaque variables are listed but cannot be read. */
  numeric: boolean;
  /** Whether stored values are IEEE floats, which have a default fill value if no attribute names one. */
  float: boolean;
}

/** Stored numbers of one read, row-major, before scale factor and offset. */
export type RawValues =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** Common interface of the two readers. Reads are synchronous: they run in the decode worker. */
export interface NetcdfFile {
  attributes: Attributes;
  variables: ReadonlyMap<string, NetcdfVariable>;
  /**
   * Reads a hyperslab.
   *
   * @param start First index along each dimension.
   * @param count Number along each dimension; the product bounds the memory of the read.
   * @throws DamagedFileError if bytes are missing or cannot be unpacked.
   */
  read(variable: string, start: readonly number[], count: readonly number[]): RawValues;
  close(): void;
}

/** The file contradicts its header: it is truncated, or its bytes changed. */
export class DamagedFileError extends Error {
  override readonly name = "DamagedFileError";
}

/** Number of values of a shape; throws if a dimension is invalid or the product is too large. */
export function cellsOf(shape: readonly number[]): number {
  const cells = shape.reduce((product, length) => product * length, 1);
  if (!Number.isSafeInteger(cells) || shape.some((length) => !(length >= 0))) {
    throw new DamagedFileError(`a variable has the impossible shape ${shape.join(" × ")}`);
  }
  return cells;
}
