import { UnreadableError } from "./grib-error.ts";

/** One section, addressed by the octet numbers of the WMO manual: its first octet is 1. */
export class Octets {
  readonly length: number;
  readonly #view: DataView;
  readonly #what: string;

  /** @param what Name of the section in messages: "section 3". */
  constructor(bytes: Uint8Array, what: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#what = what;
    this.length = bytes.byteLength;
  }

  unsigned8(octet: number): number {
    return this.#view.getUint8(this.#at(octet, 1));
  }

  unsigned16(octet: number): number {
    return this.#view.getUint16(this.#at(octet, 2));
  }

  unsigned32(octet: number): number {
    return this.#view.getUint32(this.#at(octet, 4));
  }

  /** GRIB encodes negative numbers as sign and magnitude, not as two's complement. */
  signed8(octet: number): number {
    return signAndMagnitude(this.unsigned8(octet), 0x80);
  }

  signed16(octet: number): number {
    return signAndMagnitude(this.unsigned16(octet), 0x8000);
  }

  signed32(octet: number): number {
    return signAndMagnitude(this.unsigned32(octet), 0x8000_0000);
  }

  float32(octet: number): number {
    return this.#view.getFloat32(this.#at(octet, 4));
  }

  /** All octets, as text. */
  toHex(): string {
    return Buffer.from(this.#view.buffer, this.#view.byteOffset, this.length).toString("hex");
  }

  #at(octet: number, count: number): number {
    if (octet - 1 + count > this.length) {
      throw new UnreadableError(`${this.#what} is ${this.length} octets long and ends before octet ${octet}`);
    }
    return octet - 1;
  }
}

/** Decodes sign and magnitude; `signBit` is 2^(bits − 1). */
export function signAndMagnitude(value: number, signBit: number): number {
  return value >= signBit ? signBit - value : value;
}

/** How GRIB writes "no value" in an unsigned field of four octets. */
export const MISSING_32 = 0xffff_ffff;
