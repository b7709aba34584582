import { serialQueue } from "#server/platform/in-parallel.ts";
import { ThreadEndedError, workerPool } from "#server/platform/worker-pool.ts";
import type { FieldRecord, Meaning, Scan } from "./record.ts";

export interface DecoderOptions {
  /** Bytes that decoding one file may use. */
  maxMemory: number;
  /** Time limit of one call, milliseconds. */
  timeout: number;
}

export const decoderDefaults: DecoderOptions = { maxMemory: 2 ** 31, timeout: 120_000 };

/** A file or record cannot be decoded. The message gives the reason to the person who runs the ingest. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/**
 * Our own readers found a defect in a file. The thread is reused after this error. After any other error it is
 * replaced, because HDF5 and other WebAssembly modules keep state between calls.
 */
export class InvalidDataError extends Error {
  override readonly name = "InvalidDataError";
}

export type Decoder = ReturnType<typeof createDecoder>;

/**
 * Runs the decoders in a worker thread, so that no hostile file can end or block the calling thread. Calls are handled
 * one after another.
 *
 * If the thread takes too long, runs out of memory or crashes, the call fails with a DecodeError and the next call gets
 * a new thread.
 */
export function createDecoder(options: Partial<DecoderOptions> = {}) {
  const { maxMemory, timeout } = { ...decoderDefaults, ...options };
  const pool = workerPool({
    entry: new URL("./decode-thread.ts", import.meta.url),
    data: { maxMemory },
    idleMs: Number.POSITIVE_INFINITY,
    // This limits the JavaScript heap. The worker itself limits typed arrays and wasm, because it knows their purpose.
    limits: { maxOldGenerationSizeMb: Math.max(128, maxMemory / 4 / MIB), stackSizeMb: 4 },
    // A busy decoder receives no messages, so it is terminated at once.
    graceMs: 0,
    errors: [InvalidDataError],
  });
  const oneByOne = serialQueue();

  async function ask<Result>(name: "scan" | "decode", input: unknown, caller?: AbortSignal): Promise<Result> {
    caller?.throwIfAborted();
    const expired = AbortSignal.timeout(timeout);
    const signal = caller ? AbortSignal.any([caller, expired]) : expired;
    try {
      return await pool.call<Result>(name, input, { signal });
    } catch (error) {
      if (!(error instanceof InvalidDataError)) await pool.terminate();
      caller?.throwIfAborted();
      const reason = expired.aborted
        ? `not decoded within ${timeout / 1000} seconds`
        : reasonOf(error, maxMemory);
      throw new DecodeError(reason, { cause: error });
    }
  }

  return {
    /** Lists the records of a file. Throws DecodeError if the file cannot be read at all. */
    scan: (file: string, signal?: AbortSignal) => oneByOne(() => ask<Scan>("scan", file, signal)),
    /**
     * Returns values in the file's units, (nLat, nLon) row-major, south to north, west to east, NaN = missing. The
     * caller owns the array.
     */
    decode: (record: FieldRecord, signal?: AbortSignal, meaning?: Meaning) =>
      oneByOne(() => ask<Float32Array>("decode", { record, ...meaning }, signal)),
    close: () => oneByOne(() => pool.terminate()),
  };
}

const MIB = 2 ** 20;

function reasonOf(error: unknown, maxMemory: number): string {
  const cause = error instanceof ThreadEndedError ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? `decoding takes more than the ${Math.round(maxMemory / MIB)} MiB allowed (--max-memory)`
    : cause.message;
}
