/** Writes numbers in the form of GRIB2: big-endian, negative ones as sign and magnitude. */
export class OctetWriter {
  private readonly bytes: number[] = [];

  unsigned(octets: 1 | 2 | 4 | 8, ...values: readonly number[]): this {
    for (const value of values) {
      for (let octet = octets - 1; octet >= 0; octet--)
        this.bytes.push(Math.floor(value / 2 ** (8 * octet)) % 256);
    }
    return this;
  }

  /** Writes a signed number, whose first bit is the sign (WMO regulation 92.1.5). */
  signed(octets: 1 | 2 | 4, value: number): this {
    return this.unsigned(octets, value < 0 ? 2 ** (8 * octets - 1) - value : value);
  }

  float(value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, value);
    return this.unsigned(4, view.getUint32(0));
  }

  /** Writes year, month, day, hour, minute, second. @param time Unix seconds. */
  instant(time: number): this {
    const at = new Date(time * 1000);
    return this.unsigned(2, at.getUTCFullYear()).unsigned(
      1,
      at.getUTCMonth() + 1,
      at.getUTCDate(),
      at.getUTCHours(),
      at.getUTCMinutes(),
      at.getUTCSeconds(),
    );
  }

  missing(octets: number): this {
    for (let i = 0; i < octets; i++) this.bytes.push(255);
    return this;
  }

  /**
   * Returns the section: its length, its number, and the octets written. @param more Octets that follow and are not
   * copied here.
   */
  section(number: number, more = 0): Uint8Array {
    const head = new OctetWriter().unsigned(4, this.bytes.length + 5 + more).unsigned(1, number);
    return Uint8Array.from([...head.bytes, ...this.bytes]);
  }

  done(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}
