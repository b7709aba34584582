/** Faults of the values of a file that is otherwise complete. */
export type Distortion = "not-numbers" | "out-of-range" | "land-mask" | "mean-jump";

/** Every third node is lost. */
const LOST = 3;
/** Shift of the mask to the east, as a share of all columns. */
const SHIFTED = 1 / 4;
/** Factor that makes any quantity impossible. */
const HUGE = 1000;
/** Share of the range by which every value is too high. */
const JUMP = 0.6;

/** Values with a fault, row-major; missing is NaN. */
export function distorted(
  values: Float64Array,
  columns: number,
  distortion: Distortion | undefined,
): Float64Array {
  switch (distortion) {
    case undefined:
      return values;
    case "not-numbers":
      return values.map((value, i) => (i % LOST === 0 ? Number.NaN : value));
    case "out-of-range":
      return values.map((value) => value * HUGE);
    case "land-mask":
      return shiftedMask(values, columns);
    case "mean-jump": {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of values) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
      return values.map((value) => value + JUMP * (most - least));
    }
  }
}

/** Shifts the land mask. Cells that become sea get the last value west of them. */
function shiftedMask(values: Float64Array, columns: number): Float64Array {
  const shift = Math.round(columns * SHIFTED);
  let last = 0;
  return values.map((value, i) => {
    const column = i % columns;
    const from = values[i - column + ((column - shift + columns) % columns)]!;
    if (!Number.isNaN(value)) last = value;
    return Number.isNaN(from) ? Number.NaN : last;
  });
}
