/** Smaller pieces of a body are copied together. */
const MIN_CHUNK = 16 * 1024;
const BLOCK = 64 * 1024;

/** The bytes of a body as they arrive. A client that sends single bytes makes no object of each. */
export class BodyChunks {
  length = 0;
  readonly #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  push(chunk: Buffer): void {
    // Most bodies come in one piece, which is not copied.
    const isApart = this.length === 0 || chunk.length >= MIN_CHUNK;
    this.length += chunk.length;
    if (isApart) {
      this.#endBlock();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#used + chunk.length > BLOCK) this.#endBlock();
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK);
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** Hands the bytes over, in as few pieces as they were stored in. */
  take(): Buffer[] {
    this.#endBlock();
    return this.#chunks;
  }

  #endBlock(): void {
    if (this.#block && this.#used > 0) this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Memory of large bodies from their arrival until they are answered, in all and from one address, bytes. */
export class BodyMemory {
  readonly #total: number;
  readonly #ofAddress: number;
  #used = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(total = 128 * 2 ** 20, ofAddress = 64 * 2 ** 20) {
    this.#total = total;
    this.#ofAddress = ofAddress;
  }

  get used(): number {
    return this.#used;
  }

  /** @returns false, and takes nothing, where there is not as much left. */
  take(address: string, bytes: number): boolean {
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (own > this.#ofAddress || this.#used + bytes > this.#total) return false;
    this.#used += bytes;
    this.#byAddress.set(address, own);
    return true;
  }

  release(address: string, bytes: number): void {
    this.#used -= bytes;
    const own = (this.#byAddress.get(address) ?? 0) - bytes;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
