import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";

/**
 * A text compressed for use inside a gzip stream: deflate blocks that end on a byte boundary and refer to nothing
 * before them. None is marked as the last.
 *
 * Such parts are joined into a stream of one member. One member per part would be simpler, and RFC 1952 allows it, but
 * browsers and curl read only the first.
 */
export interface DeflatedPart {
  blocks: readonly Uint8Array[];
  /** CRC-32 of the uncompressed text. */
  crc: number;
  /** Bytes of the uncompressed text. */
  length: number;
}

/** Gzip header: magic number, deflate, no flags, no time, fastest level, unknown system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255);
/** An empty block that is marked as the last. */
const END = Uint8Array.of(3, 0);

const options = { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 128 * 1024 };
/**
 * Huffman coding without matches. In numbers whose last digits are noise, matches save an eighth of the size and double
 * the time.
 */
const plainDigits = { ...options, strategy: constants.Z_HUFFMAN_ONLY };

/** Matches are used where they shrink a sample of the piece by at least this factor. */
const SAMPLE_BYTES = 4096;
const MATCHES_PAY = 0.8;

/**
 * Most pieces that are compressed at the same time, by all requests together. Each occupies a thread of libuv's pool,
 * which has four unless UV_THREADPOOL_SIZE is set. At least one is left for files and name lookups.
 */
const MAX_PARALLEL = Math.min(3, availableParallelism());

const deflate = promisify<Uint8Array, object, Buffer>(deflateRaw);

/** Compresses a text off the calling thread. @param pieces The text in order. */
export async function deflatedPart(pieces: readonly Uint8Array[]): Promise<DeflatedPart> {
  const blocks = await Promise.all(pieces.map(deflated));
  let crc = 0;
  let length = 0;
  for (const piece of pieces) {
    crc = crc32(piece, crc);
    length += piece.length;
  }
  return { blocks, crc, length };
}

let running = 0;
const waiting: (() => void)[] = [];

async function deflated(piece: Uint8Array): Promise<Uint8Array> {
  if (running < MAX_PARALLEL) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    // The result is a view of a larger buffer and parts are cached, so it is copied.
    return new Uint8Array(await deflate(piece, cheapest(piece)));
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function cheapest(piece: Uint8Array): typeof options {
  const sample = piece.subarray(piece.length >> 1, (piece.length >> 1) + SAMPLE_BYTES);
  const size = (how: typeof options) => deflateRawSync(sample, how).length;
  return size(options) < MATCHES_PAY * size(plainDigits) ? options : plainDigits;
}

/** Yields one gzip stream made of compressed parts and short uncompressed pieces. */
export async function* gzipOf(
  parts: AsyncIterable<Uint8Array | DeflatedPart> | Iterable<Uint8Array | DeflatedPart>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield HEADER;
  let crc = 0;
  let length = 0;
  for await (const part of parts) {
    const deflated = part instanceof Uint8Array ? deflatedSync(part) : part;
    // `yield*` is not used: an array iterator has no `throw`, so the error of a client that left would become a
    // TypeError.
    for (const block of deflated.blocks) yield block;
    crc = combinedCrc32(crc, deflated.crc, deflated.length);
    length += deflated.length;
  }
  const end = new Uint8Array(END.length + 8);
  end.set(END);
  const view = new DataView(end.buffer, END.length);
  view.setUint32(0, crc, true);
  // The format defines the length modulo 2³².
  view.setUint32(4, length, true);
  yield end;
}

function deflatedSync(text: Uint8Array): DeflatedPart {
  return { blocks: [deflateRawSync(text, options)], crc: crc32(text), length: text.length };
}

/** The polynomial of gzip's CRC-32 (RFC 1952), bits reversed: bit 31 is x⁰. */
const POLYNOMIAL = 0xedb8_8320;
const ONE = 0x8000_0000;
/** x⁸, which shifts by one byte. */
const BYTE = 0x0080_0000;

/**
 * CRC-32 of one text followed by another, computed from the checksums of both without reading either again.
 *
 * crc(A‖B) = crc(A) · x^(8·|B|) + crc(B), in polynomials over GF(2) modulo the generator, as zlib's `crc32_combine`.
 *
 * @param length Bytes of the second text.
 * @returns Unsigned 32 bits.
 */
export function combinedCrc32(first: number, second: number, length: number): number {
  return (product(first, powerOfByte(length)) ^ second) >>> 0;
}

/** x^(8·count). */
function powerOfByte(count: number): number {
  let power = ONE;
  let square = BYTE;
  // Bit shifts are not used because the length may exceed 32 bits.
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

function product(a: number, b: number): number {
  let sum = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return sum >>> 0;
}

/**
 * Bytes of text that are compressed together: enough for matches to be found, little enough to be compressed while the
 * next batch is produced.
 */
const BATCH_BYTES = 512 * 1024;

/** Compresses a text off the calling thread while the text is being produced. */
export class DeflatedColumn {
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #parts: Promise<DeflatedPart>[] = [];
  #crc = 0;
  #length = 0;

  /** Appends text. The buffer must not be changed afterwards. */
  add(text: Uint8Array): void {
    this.#crc = crc32(text, this.#crc);
    this.#length += text.length;
    this.#batch.push(text);
    this.#batchBytes += text.length;
    if (this.#batchBytes >= BATCH_BYTES) this.#compress();
  }

  async end(): Promise<DeflatedPart> {
    this.#compress();
    const parts = await Promise.all(this.#parts);
    return { blocks: parts.flatMap(({ blocks }) => blocks), crc: this.#crc, length: this.#length };
  }

  #compress(): void {
    if (this.#batch.length === 0) return;
    const [first, ...more] = this.#batch;
    const part = deflatedPart([more.length === 0 ? first! : Buffer.concat(this.#batch)]);
    // `end` reports an error; this handler prevents an unhandled rejection where `end` is not called.
    part.catch(() => undefined);
    this.#parts.push(part);
    this.#batch = [];
    this.#batchBytes = 0;
  }
}
