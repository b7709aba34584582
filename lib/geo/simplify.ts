/**
 * The points of a line that are needed to stay within a tolerance of the others (Ramer, Douglas and Peucker). The first and
 * the last are always included.
 *
 * @param count Number of points.
 * @param deviation Distance of point `at` from the straight line between the points `from` and `to`.
 * @returns Their indices, ascending.
 */
export function simplified(
  count: number,
  deviation: (at: number, from: number, to: number) => number,
  tolerance: number,
): number[] {
  if (count < 3) return Array.from({ length: count }, (_, index) => index);
  const kept = new Set([0, count - 1]);
  const open: [number, number][] = [[0, count - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let [worst, where] = [tolerance, -1];
    for (let at = from + 1; at < to; at++) {
      const off = deviation(at, from, to);
      if (off > worst) [worst, where] = [off, at];
    }
    if (where < 0) continue;
    kept.add(where);
    open.push([from, where], [where, to]);
  }
  return [...kept].sort((a, b) => a - b);
}
