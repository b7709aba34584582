interface Span {
  from: number;
  to: number;
  /** Point that is farthest from the straight line, and how far it is. */
  farthest: number;
  off: number;
}

/**
 * The points of a line that are needed to stay within a tolerance of the others (Ramer, Douglas and Peucker). The first and
 * the last are always included. The worst span is divided first, so that a limit on the points bounds the work too.
 *
 * @param count Number of points.
 * @param deviation Distance of a point from the straight line between the points `from` and `to`.
 * @param most Points that are kept at most, beyond the tolerance.
 * @returns Their indices, ascending, and the greatest distance of a point that is left out.
 */
export function simplified(
  count: number,
  deviation: (from: number, to: number) => (at: number) => number,
  tolerance: number,
  most = count,
): { kept: number[]; within: number } {
  if (count < 3) return { kept: Array.from({ length: count }, (_, index) => index), within: 0 };
  const spanOf = (from: number, to: number): Span => {
    const deviationOf = deviation(from, to);
    let [farthest, off] = [from, 0];
    for (let at = from + 1; at < to; at++) {
      const distance = deviationOf(at);
      if (distance > off) [farthest, off] = [at, distance];
    }
    return { from, to, farthest, off };
  };
  const spans = [spanOf(0, count - 1)];
  for (;;) {
    let worst = 0;
    for (let index = 1; index < spans.length; index++)
      if (spans[index]!.off > spans[worst]!.off) worst = index;
    const { from, to, farthest, off } = spans[worst]!;
    if (off <= tolerance || spans.length + 1 >= most) {
      return { kept: [...spans.map((span) => span.from).sort((a, b) => a - b), count - 1], within: off };
    }
    spans[worst] = spanOf(from, farthest);
    spans.push(spanOf(farthest, to));
  }
}
