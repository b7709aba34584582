import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";
import { combinedCrc32 } from "./crc32-combine.ts";

/**
 * A text as it stands inside a gzip stream: blocks of deflate that end on a byte, refer to nothing before them, and of which
 * none is the last.
 *
 * Many such parts make one stream of one member. Members that follow one another would be simpler, and RFC 1952 allows
 * them; but browsers and curl read the first alone.
 */
export interface DeflatedPart {
  blocks: readonly Uint8Array[];
  /** Of the text. */
  crc: number;
  /** Bytes of the text. */
  length: number;
}

/** Magic, deflate, no flags, no time, the fastest level, no system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255);
/** An empty block that is the last. */
const END = Uint8Array.of(3, 0);

const options = { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 128 * 1024 };
/** No matches are looked for: of numbers whose last digits are noise they save an eighth, and take as long again. */
const plainDigits = { ...options, strategy: constants.Z_HUFFMAN_ONLY };

/** What of a piece is tried out, and how much smaller it has to be with matches. */
const SAMPLE_BYTES = 4096;
const WORTH_MATCHING = 0.8;

const deflateLater = promisify<Uint8Array, object, Buffer>(deflateRaw);

/** Compresses a text beside the thread of the requests, as cheaply as pays. @param pieces Of which it consists. */
export async function deflatedPart(pieces: readonly Uint8Array[]): Promise<DeflatedPart> {
  const blocks = new Array<Uint8Array>(pieces.length);
  let next = 0;
  const work = async () => {
    for (let i = next++; i < pieces.length; i = next++) {
      const packed = await deflateLater(pieces[i]!, cheapest(pieces[i]!));
      // Without the room that was left behind it: parts are kept.
      blocks[i] = new Uint8Array(packed);
    }
  };
  // One a core: the other threads of node's pool stay for others.
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  let crc = 0;
  for (const piece of pieces) crc = crc32(piece, crc);
  return { blocks, crc, length: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}

function cheapest(piece: Uint8Array): typeof options {
  const sample = piece.subarray(piece.length >> 1, (piece.length >> 1) + SAMPLE_BYTES);
  const size = (how: typeof options) => deflateRawSync(sample, how).length;
  return size(options) < WORTH_MATCHING * size(plainDigits) ? options : plainDigits;
}

/** One gzip stream of what is compressed already and of short pieces that are not. */
export async function* gzipOf(
  parts: AsyncIterable<Uint8Array | DeflatedPart> | Iterable<Uint8Array | DeflatedPart>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield HEADER;
  let crc = 0;
  let length = 0;
  for await (const part of parts) {
    const deflated = part instanceof Uint8Array ? deflatedNow(part) : part;
    // Not `yield*`: a list has no ear for the client that went away, and its error would become one of ours.
    for (const block of deflated.blocks) yield block;
    crc = combinedCrc32(crc, deflated.crc, deflated.length);
    length += deflated.length;
  }
  const end = new Uint8Array(END.length + 8);
  end.set(END);
  const view = new DataView(end.buffer, END.length);
  view.setUint32(0, crc, true);
  // Modulo 2³², as the format wants it.
  view.setUint32(4, length, true);
  yield end;
}

function deflatedNow(text: Uint8Array): DeflatedPart {
  return { blocks: [deflateRawSync(text, options)], crc: crc32(text), length: text.length };
}
