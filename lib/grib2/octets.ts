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

  toHex(): string {
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset, this.length);
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
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

/** GRIB's code for "no value" in an unsigned field of four octets. */
export const MISSING_32 = 0xffff_ffff;

/** Packed numbers, most significant bit first, padded with zeros so that a reader may read a word ahead. */
export class Bits {
  readonly view: DataView;
  /** Number of bits, without the padding. */
  readonly length: number;

  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes);
    this.view = new DataView(padded.buffer);
    this.length = bytes.length * 8;
  }
}

/** Largest section whose bit positions fit the 32-bit integers of the readers, bits. */
export const MAX_BITS = 2 ** 31 - 64;

/**
 * Reads the unsigned number of `width` bits (0…32) at bit `position`.
 *
 * The caller checks the bounds, once per block.
 */
export function readBits(view: DataView, position: number, width: number): number {
  if (width === 0) return 0;
  const shift = position & 7;
  const byte = position >>> 3;
  const word = view.getInt32(byte) << shift;
  if (width <= 25) return word >>> (32 - width);
  return ((word | (view.getUint8(byte + 4) >>> (8 - shift))) >>> (32 - width)) >>> 0;
}

/** One message of a GRIB file cannot be read. The others may be valid. */
export class GribError extends Error {
  override readonly name = "GribError";
  readonly reason: string;

  /** @param message Its number in the file, from 1. */
  constructor(file: string, message: number, reason: string, options?: ErrorOptions) {
    super(`${file}, GRIB message ${message}: ${reason}`, options);
    this.reason = reason;
  }
}

/** Bytes cannot be read. It is thrown by code that does not know file and message number. */
export class UnreadableError extends Error {
  override readonly name = "Unreadable";
}
