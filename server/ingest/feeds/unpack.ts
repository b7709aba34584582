import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { workerPool } from "#server/platform/worker-pool.ts";

/** The packed data is damaged, unpacks to more bytes than allowed, or takes too long. */
export class PackedDataError extends Error {
  override readonly name = "PackedDataError";
}

/**
 * Longest time for one file, milliseconds. A gigabyte of bzip2, the most that a part may have, takes six minutes on a
 * slow core.
 */
const MAX_UNPACK_MS = 10 * 60_000;

/** Heap of the thread, MiB. Its buffers lie outside: a block of bzip2 takes 4 MB, whatever it unpacks to. */
const HEAP_MB = 64;

export interface UnpackInput {
  /** Path of the file, which may be packed. */
  from: string;
  /** Path of an existing file. */
  to: string;
  /** Offset of the first byte in the output file. */
  at: number;
  /** Largest size of the output file, bytes. */
  maxBytes: number;
}

export interface Unpacker extends AsyncDisposable {
  /**
   * Writes the content of a file into another one from an offset on, and unpacks gzip and bzip2.
   *
   * @returns The number of bytes written.
   * @throws PackedDataError; errors of the disk; the signal's reason.
   */
  append(input: UnpackInput, signal: AbortSignal): Promise<number>;
}

/**
 * Unpacks in a thread of its own, because a file of a kilobyte may unpack to gigabytes, byte by byte.
 *
 * @param maxMs Longest time for one file, milliseconds.
 */
export function createUnpacker(maxMs = MAX_UNPACK_MS): Unpacker {
  const pool = workerPool({
    entry: new URL("./unpack-thread.ts", import.meta.url),
    idleMs: Number.POSITIVE_INFINITY,
    limits: { maxOldGenerationSizeMb: HEAP_MB },
    // A busy thread receives no messages, so it is terminated at once.
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
