/** From, and to but not including. */
export type Interval = [from: number, to: number];

/** A set of places, as sorted intervals that neither touch nor overlap. */
export class Intervals {
  #list: Interval[] = [];

  add(from: number, to: number): void {
    if (from >= to) return;
    const apart = (one: Interval) => one[1] < from || one[0] > to;
    const joined = this.#list.filter((one) => !apart(one));
    const merged: Interval = [
      Math.min(from, ...joined.map(([start]) => start)),
      Math.max(to, ...joined.map(([, end]) => end)),
    ];
    this.#list = [...this.#list.filter(apart), merged].sort((one, other) => one[0] - other[0]);
  }

  /** How many places. */
  get size(): number {
    return this.#list.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  /** What an interval has besides these. */
  missing(from: number, to: number): Interval[] {
    const gaps: Interval[] = [];
    let at = from;
    for (const [start, end] of this.#list) {
      if (end <= at) continue;
      if (start >= to) break;
      if (start > at) gaps.push([at, start]);
      at = end;
    }
    if (at < to) gaps.push([at, to]);
    return gaps;
  }
}
