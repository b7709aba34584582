/** Smaller than any value that is not known yet. */
const UNKNOWN = 0x7fffffff;

/** A tree of minima, of which bits of packet headers tell more and more (T.800 B.10.2). */
export class TagTree {
  /** By level, the leaves first: where its nodes begin, and how many columns it has. */
  readonly #levels: { from: number; columns: number }[] = [];
  readonly #values: Int32Array;
  /** What values are at least. */
  readonly #least: Int32Array;

  constructor(columns: number, rows: number) {
    let from = 0;
    for (let level = 0; ; level++) {
      const [across, down] = [Math.ceil(columns / 2 ** level), Math.ceil(rows / 2 ** level)];
      this.#levels.push({ from, columns: across });
      from += across * down;
      if (across * down <= 1) break;
    }
    this.#values = new Int32Array(from).fill(UNKNOWN);
    this.#least = new Int32Array(from);
  }

  /** Reads whether the value of a leaf is below a limit. */
  isBelow(limit: number, column: number, row: number, nextBit: () => number): boolean {
    let least = 0;
    let value = UNKNOWN;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const { from, columns } = this.#levels[level]!;
      const node = from + (row >> level) * columns + (column >> level);
      least = Math.max(least, this.#least[node]!);
      value = this.#values[node]!;
      while (least < limit && value === UNKNOWN) {
        if (nextBit() === 1) value = least;
        else least++;
      }
      this.#least[node] = least;
      this.#values[node] = value;
    }
    return value < limit;
  }
}
