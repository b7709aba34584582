/** Bits that a number from 0 to `largest` takes. */
export function bitsFor(largest: number): number {
  return largest <= 0 ? 0 : 32 - Math.clz32(largest);
}

/** Writes numbers of any width below 32 bits, most significant bit first. */
export class BitWriter {
  readonly bytes: Uint8Array;
  #at = 0;
  /** Bits that are not written yet: the lowest `#waiting` bits, less than eight. */
  #rest = 0;
  #waiting = 0;

  /** @param length Octets; enough for all that is written. */
  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }

  /** Octets written, the last one filled up with zeros. */
  get length(): number {
    return this.#at + (this.#waiting > 0 ? 1 : 0);
  }

  /** Writes `numbers[from] − subtract` … `numbers[to − 1] − subtract`. @param width 0 … 24. */
  write(numbers: ArrayLike<number>, from: number, to: number, subtract: number, width: number): void {
    if (width === 0) return;
    const { bytes } = this;
    let at = this.#at;
    let rest = this.#rest;
    let waiting = this.#waiting;
    for (let i = from; i < to; i++) {
      // At most 7 + 24 bits.
      rest = (rest << width) | (numbers[i]! - subtract);
      waiting += width;
      while (waiting >= 8) {
        waiting -= 8;
        bytes[at++] = rest >>> waiting;
      }
      rest &= (1 << waiting) - 1;
    }
    this.#at = at;
    this.#rest = rest;
    this.#waiting = waiting;
  }

  /** Fills the octet up with zeros. */
  align(): void {
    if (this.#waiting > 0) this.bytes[this.#at++] = this.#rest << (8 - this.#waiting);
    this.#rest = this.#waiting = 0;
  }
}
