import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { workerPool } from "#server/platform/worker-pool.ts";

/** The packed data is damaged, has more bytes than are allowed, or takes too long. */
export class PackedDataError extends Error {
  override readonly name = "PackedDataError";
}

/** A gigabyte of bzip2, the most that a part may have, takes six minutes on a slow core. */
const MAX_UNPACK_MS = 10 * 60_000;

/** The buffers of the thread lie outside of this heap: a block of bzip2 takes 4 MB, whatever it unpacks to. */
const HEAP_MB = 64;

export interface UnpackInput {
  /** A file that may be packed. */
  from: string;
  /** A file that exists. */
  to: string;
  /** Offset of the first byte in the output file. */
  at: number;
  /** Maximum size of the output file. */
  maxBytes: number;
}

export interface Unpacker extends AsyncDisposable {
  /**
   * Writes the bytes of a file into another one from a place on, those that gzip or bzip2 has packed as they were before.
   *
   * @returns How many bytes it wrote.
   * @throws PackedDataError; errors of the disk; the signal's reason.
   */
  append(input: UnpackInput, signal: AbortSignal): Promise<number>;
}

/**
 * Unpacks in a thread of its own: a file of a kilobyte may unpack to gigabytes, byte by byte.
 *
 * @param maxMs How long one file may take, milliseconds.
 */
export function createUnpacker(maxMs = MAX_UNPACK_MS): Unpacker {
  const pool = workerPool({
    entry: new URL("./unpack-thread.ts", import.meta.url),
    idleMs: Number.POSITIVE_INFINITY,
    limits: { maxOldGenerationSizeMb: HEAP_MB },
    // The decoder receives no message while it works.
    graceMs: 0,
    errors: [PackedDataError],
  });
  return {
    async append(input, signal) {
      const form = await formOfPacking(input.from);
      if (!form) return copy(input, signal);
      const expired = AbortSignal.timeout(maxMs);
      try {
        const either = AbortSignal.any([signal, expired]);
        return await pool.call<number>("unpack", { ...input, form }, { signal: either });
      } catch (error) {
        signal.throwIfAborted();
        throw expired.aborted ? new PackedDataError(`it takes more than ${maxMs / 1000} s`) : error;
      }
    },
    [Symbol.asyncDispose]: () => pool.terminate(),
  };
}

export type PackedForm = "gzip" | "bzip2";

async function formOfPacking(path: string): Promise<PackedForm | undefined> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(3), 0, 3, 0);
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return "gzip";
  return buffer.toString("latin1") === "BZh" ? "bzip2" : undefined;
}

async function copy({ from, to, at, maxBytes }: UnpackInput, signal: AbortSignal): Promise<number> {
  const { size } = await stat(from);
  checkLength(at + size, maxBytes);
  // Data that is appended to the file meanwhile is not read.
  const source = createReadStream(from, { end: Math.max(0, size - 1) });
  await pipeline(source, createWriteStream(to, { flags: "r+", start: at }), { signal });
  return size;
}

/** @throws PackedDataError */
export function checkLength(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new PackedDataError(`the part has more than ${maxBytes} bytes`);
}
