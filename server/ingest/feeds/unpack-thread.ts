import { closeSync, createReadStream, openSync, readSync, writeSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import Bunzip from "seek-bzip";
import { workerFunction } from "#server/platform/worker-pool.ts";
import { checkLength, PackedDataError, type PackedForm, type UnpackInput } from "./unpack.ts";

// This is the entry module of the thread of `createUnpacker`.

const CHUNK = 64 * 1024;

export const unpack = workerFunction(
  async ({ form, from, to, at, maxBytes }: UnpackInput & { form: PackedForm }): Promise<number> => {
    const target = openSync(to, "r+");
    let end = at;
    const write = (bytes: Uint8Array) => {
      checkLength(end + bytes.length, maxBytes);
      for (let done = 0; done < bytes.length; )
        done += writeSync(target, bytes, done, bytes.length - done, end + done);
      end += bytes.length;
    };
    try {
      if (form === "gzip") await gunzip(from, write);
      else bunzip(from, write);
      return end - at;
    } finally {
      closeSync(target);
    }
  },
);

async function gunzip(from: string, write: (bytes: Uint8Array) => void): Promise<void> {
  const source = createReadStream(from, { highWaterMark: CHUNK });
  try {
    await pipeline(source, createGunzip({ chunkSize: CHUNK }), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) write(chunk);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") ? new PackedDataError(message, { cause: error }) : error;
  }
}

/** Reads a file byte by byte. */
class ByteReader extends Bunzip.Stream {
  readonly #file: number;
  readonly #chunk = Buffer.alloc(CHUNK);
  #next = 0;
  #end = 0;

  constructor(file: number) {
    super();
    this.#file = file;
  }

  get isAtEnd(): boolean {
    if (this.#next === this.#end) {
      this.#end = readSync(this.#file, this.#chunk, 0, CHUNK, null);
      this.#next = 0;
    }
    return this.#end === 0;
  }

  override readByte(): number {
    if (this.isAtEnd) throw new PackedDataError("it ends early");
    return this.#chunk[this.#next++]!;
  }
}

/**
 * Unpacks streams that may follow one another. They are decoded one by one: if the library knew the end of the file, it
 * would accept a stream that is cut between two blocks.
 */
function bunzip(from: string, write: (bytes: Uint8Array) => void): void {
  const source = openSync(from, "r");
  const reader = new ByteReader(source);
  const chunk = Buffer.alloc(CHUNK);
  let filled = 0;
  const output = {
    writeByte(byte: number) {
      chunk[filled++] = byte;
      if (filled < CHUNK) return;
      filled = 0;
      write(chunk);
    },
  };
  try {
    while (!reader.isAtEnd) Bunzip.decode(reader, output, false);
    write(chunk.subarray(0, filled));
  } catch (error) {
    // The library throws a TypeError for defects of the data.
    throw error instanceof TypeError ? new PackedDataError(error.message, { cause: error }) : error;
  } finally {
    closeSync(source);
  }
}
