/** A priority queue (binary heap): least key first. */
export class Heap<T> {
  readonly #keys: number[] = [];
  readonly #values: T[] = [];

  push(key: number, value: T): void {
    const [keys, values] = [this.#keys, this.#values];
    let at = keys.length;
    for (; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      values[at] = values[parent]!;
      at = parent;
    }
    keys[at] = key;
    values[at] = value;
  }

  /** Removes and returns the value of the least key. */
  pop(): T | undefined {
    const [keys, values] = [this.#keys, this.#values];
    if (keys.length === 0) return undefined;
    const first = values[0]!;
    const [key, value] = [keys.pop()!, values.pop()!];
    const { length } = keys;
    if (length === 0) return first;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      values[at] = values[child]!;
      at = child;
    }
    keys[at] = key;
    values[at] = value;
    return first;
  }
}
