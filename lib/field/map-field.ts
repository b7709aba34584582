import type { MemberStatistic } from "#lib/catalog/ensemble.ts";

/**
 * Rounded public numbers as uint16 entries: entry = value · 10^decimals − `MIN_STORED`; `NULL_ENTRY` is null.
 *
 * The range covers every number that int16 fields can produce: speeds up to 491 m/s, and heights and periods
 * below 0.
 */
export const MIN_STORED = -16_384;
export const NULL_ENTRY = 65_535;

/** The JSON of one step of an output: a list of rows. */
export interface WrittenGrid {
  pieces: readonly Uint8Array[];
}

/**
 * Decimals of the numbers of an output. Only components of currents in files have 3 (they reach 16 m/s in
 * either direction); answers have at most 2.
 */
export type Decimals = 0 | 1 | 2 | 3;

/** One output of a 2D answer with all its numbers. */
export interface MapOutput {
  /** Public name in 2D answers. */
  name: string;
  unit: string;
  decimals: Decimals;
  title: string;
  /** Present if the numbers are a statistic over members of an ensemble: of which output, by its name in 2D answers. */
  statistic?: { of: string; is: MemberStatistic };
  /** Entries, (time, latitude, longitude) row-major; of several models or members one after another. */
  entries: Uint16Array;
  /** JSON of steps that is already available, by step; of several models one after another. */
  texts?: (WrittenGrid | undefined)[];
}

/** The answer to one box, ready to be written in any format. */
export interface MapField {
  /** Degrees north, ascending. */
  latitude: Float64Array;
  /** Degrees east, −180..180, west to east. */
  longitude: Float64Array;
  /** `YYYY-MM-DDThh:mm:ssZ`, ascending. */
  times: readonly string[];
  /** Whether the request has a time range. If so, fields have a time axis and timestamps are a list. */
  isRange: boolean;
  /** Names of the models that answer, in the order of the request; absent if it names none. */
  models?: readonly string[] | undefined;
  /** Realization numbers of the members of an ensemble, which stand one after another as models do; absent for others. */
  members?: readonly number[];
  /** How many members the ensemble of the answer has, the control included; absent for others. */
  ensembleSize?: number;
  outputs: readonly MapOutput[];
}

const factors = [1, 10, 100, 1000] as const;

/** The number of an entry; NaN for null. */
export function valueOfEntry(entry: number, decimals: Decimals): number {
  return entry === NULL_ENTRY ? Number.NaN : (entry + MIN_STORED) / factors[decimals];
}
