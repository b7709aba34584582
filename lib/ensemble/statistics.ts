/**
 * Sorts the members that have a value into a scratch array.
 *
 * @param values One value a member, NaN = the member has none.
 * @param sorted As long as `values` at least; its beginning is written, ascending.
 * @returns How many members have a value.
 */
export function sortMembers(values: Float64Array, sorted: Float64Array): number {
  let count = 0;
  for (let member = 0; member < values.length; member++) {
    const value = values[member]!;
    if (Number.isNaN(value)) continue;
    let at = count++;
    // Insertion is the fastest way to sort some tens of numbers.
    for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = value;
  }
  return count;
}

/**
 * A percentile of sorted values, linear between them: type 7 of Hyndman and Fan (1996), the default of numpy and R.
 *
 * @param sorted Ascending. @param count How many of them to use. @param percentile 0 to 100.
 * @returns NaN if there are no values.
 */
export function percentileOf(sorted: Float64Array, count: number, percentile: number): number {
  if (count === 0) return Number.NaN;
  const position = ((count - 1) * percentile) / 100;
  const below = Math.floor(position);
  const low = sorted[below]!;
  if (below + 1 >= count) return low;
  return low + (position - below) * (sorted[below + 1]! - low);
}

/** Mean and standard deviation. */
export interface Moments {
  /** NaN if there are no values. */
  mean: number;
  /** With n − 1; NaN if there are fewer than two values. */
  spread: number;
}

/** The mean and the standard deviation of values. @param count How many of them to use; all are numbers. */
export function momentsOf(values: Float64Array, count: number): Moments {
  if (count === 0) return { mean: Number.NaN, spread: Number.NaN };
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  const mean = sum / count;
  if (count < 2) return { mean, spread: Number.NaN };
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (values[i]! - mean) ** 2;
  return { mean, spread: Math.sqrt(squares / (count - 1)) };
}

/** How many sorted values are greater than a threshold. @param count How many of them to use. */
export function countOver(sorted: Float64Array, count: number, threshold: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > threshold) high = middle;
    else low = middle + 1;
  }
  return count - low;
}
