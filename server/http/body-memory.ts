/** Blocks grow with the body: a few bytes take little, and large blocks return to the system when they are freed. */
const MIN_BLOCK = 4 * 1024;
const MAX_BLOCK = 4 * 2 ** 20;

/** The bytes of a body as they arrive. A client that sends single bytes makes no object of each. */
export class BodyChunks {
  length = 0;
  readonly #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  /** @returns Whether it was copied. */
  push(chunk: Buffer): boolean {
    const before = this.length;
    this.length += chunk.length;
    // Most bodies come in one piece, which is not copied.
    if (before === 0) {
      this.#chunks.push(chunk);
      return false;
    }
    for (let at = 0; at < chunk.length; ) {
      if (this.#block === undefined || this.#used === this.#block.length) {
        this.#endBlock();
        this.#block = Buffer.allocUnsafeSlow(Math.max(MIN_BLOCK, Math.min(MAX_BLOCK, this.length)));
      }
      const copied = chunk.copy(this.#block, this.#used, at);
      this.#used += copied;
      at += copied;
    }
    return true;
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

/** Smaller ones are left to the garbage collector, and may be part of memory that others use. */
const MIN_FREED = 32 * 1024;

/**
 * Whether bytes are all of their memory, and large enough that it matters: it can be handed to a thread, and freed before
 * the garbage collector finds out.
 */
export function ownsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength >= MIN_FREED;
}

/**
 * Returns the memory of a large body at once. V8 looks for what nobody uses only now and then, by which time several
 * bodies of 32 MiB have come. Nobody may read the bytes afterwards, libuv's threads included.
 */
export function freeBytes(bytes: Uint8Array): void {
  if (ownsMemory(bytes)) bytes.buffer.transfer(0);
}

/** A body that has begun to arrive. */
interface ArrivingBody {
  /** Ends it, because others need its memory. */
  giveWay(): void;
}

/**
 * Memory of bodies, bytes: of large ones from their arrival until they are answered, in all and from one address; of small
 * ones while they arrive.
 */
export class BodyMemory {
  readonly #total: number;
  readonly #ofAddress: number;
  readonly #small: number;
  #used = 0;
  readonly #byAddress = new Map<string, number>();
  #smallUsed = 0;
  /** In the order of their arrival. */
  readonly #smallBodies = new Map<ArrivingBody, number>();

  constructor(total = 64 * 2 ** 20, ofAddress = 48 * 2 ** 20, small = 16 * 2 ** 20) {
    this.#total = total;
    this.#ofAddress = ofAddress;
    this.#small = small;
  }

  get used(): number {
    return this.#used;
  }

  get smallUsed(): number {
    return this.#smallUsed;
  }

  /**
   * Counts bytes of a small body. Where too many arrive at the same time, the one that began first gives way: nobody who
   * sends a body at once is refused.
   */
  addSmall(body: ArrivingBody, bytes: number): void {
    this.#smallBodies.set(body, (this.#smallBodies.get(body) ?? 0) + bytes);
    this.#smallUsed += bytes;
    if (this.#smallUsed <= this.#small) return;
    const [first] = this.#smallBodies.keys();
    first?.giveWay();
  }

  /** The body has arrived, has ended or has become large. May be called repeatedly. */
  removeSmall(body: ArrivingBody): void {
    this.#smallUsed -= this.#smallBodies.get(body) ?? 0;
    this.#smallBodies.delete(body);
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
