/** Shorter bodies are not counted: the number of connections bounds them. */
const MIN_COUNTED_BYTES = 64 * 1024;

/** Memory of shorter ones is left to the garbage collector, and may be shared with others. */
const MIN_FREED_BYTES = 32 * 1024;

/** The bytes of a body as they arrive, in one piece of memory: a client that sends single bytes makes no object of each. */
export class BodyBuffer {
  length = 0;
  readonly #declared: number;
  #bytes: Uint8Array = new Uint8Array();

  /** @param declared Content-Length; 0 where there is none. */
  constructor(declared: number) {
    this.#declared = declared;
  }

  push(chunk: Uint8Array): void {
    const end = this.length + chunk.length;
    // Most bodies come in one piece, which is not copied.
    if (end === this.#declared && this.length === 0) {
      this.#bytes = chunk;
      this.length = end;
      return;
    }
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(end, Math.min(2 * end, this.#declared || 2 * end)));
      grown.set(this.#bytes.subarray(0, this.length));
      freeBytes(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.length);
    this.length = end;
    // Left to V8, such chunks add up to 64 MiB before it collects them, in one long pause.
    freeBytes(chunk);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

/**
 * Returns the memory of a large body at once. V8 looks for what nobody uses only now and then, by which time several
 * bodies of 32 MiB have come. Nobody may read the bytes afterwards, libuv's threads included.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const ownsMemory = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  if (ownsMemory && byteLength >= MIN_FREED_BYTES) buffer.transfer(0);
}

/**
 * Memory of large bodies from their arrival until they are answered, bytes: in all, and from one address. Of small ones none
 * is refused.
 */
export class BodyMemory {
  used = 0;
  readonly #total: number;
  readonly #ofAddress: number;
  readonly #byAddress = new Map<string, number>();

  constructor(total = 64 * 2 ** 20, ofAddress = 48 * 2 ** 20) {
    this.#total = total;
    this.#ofAddress = ofAddress;
  }

  /** One body. @returns Called with the bytes that it has so far: false where there is not as much left; and releases all. */
  open(address: string): { grow(bytes: number): boolean; release(): void } {
    let taken = 0;
    const take = (bytes: number) => {
      taken += bytes;
      this.used += bytes;
      const own = (this.#byAddress.get(address) ?? 0) + bytes;
      if (own > 0) this.#byAddress.set(address, own);
      else this.#byAddress.delete(address);
    };
    return {
      grow: (bytes) => {
        const more = bytes <= MIN_COUNTED_BYTES ? 0 : bytes - taken;
        const own = (this.#byAddress.get(address) ?? 0) + more;
        if (own > this.#ofAddress || this.used + more > this.#total) return false;
        if (more > 0) take(more);
        return true;
      },
      release: () => take(-taken),
    };
  }
}
