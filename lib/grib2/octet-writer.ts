/** Octets of sections, big-endian. Negative numbers are sign and magnitude, as in all of GRIB. */
export class OctetWriter {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  unsigned8(...values: number[]): this {
    this.#bytes.push(...values);
    return this;
  }

  unsigned16(value: number): this {
    return this.unsigned8((value >>> 8) & 255, value & 255);
  }

  unsigned32(...values: number[]): this {
    for (const value of values) this.unsigned16(value >>> 16).unsigned16(value & 0xffff);
    return this;
  }

  signed16(value: number): this {
    return this.unsigned16(value < 0 ? 0x8000 | -value : value);
  }

  signed32(value: number): this {
    return this.unsigned32(value < 0 ? 0x8000_0000 | -value : value);
  }

  /** @param octets 1 … 4. */
  signed(value: number, octets: number): this {
    const magnitude = Math.abs(value);
    for (let shift = 8 * (octets - 1), first = value < 0 ? 128 : 0; shift >= 0; shift -= 8, first = 0)
      this.unsigned8(first | ((magnitude >>> shift) & 255));
    return this;
  }

  float32(value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, value);
    return this.unsigned32(view.getUint32(0));
  }

  /** The octets behind the length (of the whole section) and the number of a section. */
  section(number: number, more = 0): Uint8Array {
    const length = this.#bytes.length + 5;
    const bytes = new Uint8Array(length);
    new DataView(bytes.buffer).setUint32(0, length + more);
    bytes[4] = number;
    bytes.set(this.#bytes, 5);
    return bytes;
  }
}
