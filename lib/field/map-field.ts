/**
 * Numbers of the wire as 16 bits each: what a public number is when it is rounded, as a whole number of its last decimal.
 * Every number that int16 fields lead to has an entry: speeds to 491 m/s, heights and periods below 0.
 *
 * entry = value · 10^decimals − `MIN_STORED`; `NULL_ENTRY` is null.
 */
export const MIN_STORED = -16_384;
export const NULL_ENTRY = 65_535;

/** The JSON of one step of an output: a list of rows. */
export interface WrittenGrid {
  pieces: readonly Uint8Array[];
}

/** One output of a map: every number that is written for it. */
export interface MapOutput {
  /** Public name in 2D answers. */
  name: string;
  unit: string;
  decimals: 0 | 1 | 2;
  title: string;
  /** Entries, (time, latitude, longitude) row-major. */
  entries: Uint16Array;
  /** Some of the steps, where they were written before; by step. */
  texts?: (WrittenGrid | undefined)[];
}

/** The answer to one box, ready to be written in any format. */
export interface MapField {
  /** Degrees north, ascending. */
  latitude: Float64Array;
  /** Degrees east, −180..180, in the order in which one travels east. */
  longitude: Float64Array;
  /** `YYYY-MM-DDThh:mm:ssZ`, ascending. */
  times: readonly string[];
  /** A range was asked for: fields have an axis of time, and timestamps are a list. */
  isRange: boolean;
  outputs: readonly MapOutput[];
}

const factors = [1, 10, 100] as const;

/** The number of an entry; NaN for null. */
export function valueOfEntry(entry: number, decimals: 0 | 1 | 2): number {
  return entry === NULL_ENTRY ? Number.NaN : (entry + MIN_STORED) / factors[decimals];
}
