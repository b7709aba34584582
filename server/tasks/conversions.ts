import { buffer } from "node:stream/consumers";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { NoSpaceError, UnavailableError } from "#server/platform/errors.ts";
import { preferredEncoding } from "#server/platform/negotiation.ts";
import { type Conversion, inFormat, type StoredEnvelope } from "./convert-stored.ts";
import { convertedFile } from "./converted-files.ts";
import { gunzipped } from "./gzip-blobs.ts";

/** Conversions that run at the same time; a large one runs alone. */
export const MAX_RUNNING = 2;

/** Points or values from which a conversion is large: of a map they take 20 MB. */
const LARGE = 10_000_000;

/** Conversions that wait for a thread. */
const MAX_WAITING = 16;

/** Retry-After, seconds. */
const BUSY_RETRY_S = 10;
const NO_SPACE_RETRY_S = 60;

/** Envelopes up to this size are converted on the calling thread, which takes a few milliseconds, and not cached. */
const SMALL_BYTES = 64 * 1024;

/** Writes the blob `to`, off the calling thread. */
export type Convert = (conversion: Conversion, signal: AbortSignal) => Promise<void>;

/** What decides how a converted result is sent. */
export interface ConversionRequest {
  method: string;
  header(name: string): string | undefined;
  signal: AbortSignal;
}

interface ConvertedReply {
  headers: Record<string, string>;
  body: Uint8Array | AsyncIterable<Uint8Array>;
}

interface RunningConversion {
  done: Promise<void>;
  stop: AbortController;
  callers: number;
}

interface WaitingConversion {
  slots: number;
  start(): void;
}

/**
 * Stored envelopes in other formats. Each is converted once, into a blob beside its source; callers who ask for it
 * meanwhile wait for the same conversion, and one that nobody waits for any more is stopped.
 */
export class Conversions {
  readonly #blobs: BlobStore;
  readonly #convert: Convert;
  readonly #running = new Map<string, RunningConversion>();
  #waiting: WaitingConversion[] = [];
  #freeSlots = MAX_RUNNING;

  constructor(blobs: BlobStore, convert: Convert) {
    this.#blobs = blobs;
    this.#convert = convert;
  }

  /**
   * A stored envelope in another format, ready to be sent. A blob is opened when the body is read.
   *
   * @param plain The envelope, where it is in memory.
   * @throws UnavailableError where too many wait, or the disk is full. The signal's reason where the client left.
   */
  async reply(
    source: StoredEnvelope,
    type: string,
    request: ConversionRequest,
    plain?: Uint8Array,
  ): Promise<ConvertedReply> {
    const headers = { "content-type": type };
    if (plain && plain.length <= SMALL_BYTES)
      return { headers, body: await buffer(inFormat(type, source, [plain])) };
    const file = convertedFile(source.file, type);
    let bytes = await this.#lengthOf(file);
    // HEAD is not worth a conversion.
    if (bytes === undefined && request.method === "HEAD") return { headers, body: nothing() };
    if (bytes === undefined) {
      await this.#converted({ source, type, to: file }, request.signal);
      bytes = await this.#lengthOf(file);
    }
    const encoding = preferredEncoding(request.header("accept-encoding"), "gzip");
    if (encoding === "gzip")
      return {
        headers: { ...headers, "content-encoding": "gzip", vary: "X-API-Key, Accept, Accept-Encoding" },
        body: this.#blobs.read(file),
      };
    // With brotli the length is another.
    const length = encoding === undefined && bytes !== undefined && { "content-length": String(bytes) };
    return { headers: { ...headers, ...length }, body: gunzipped(this.#blobs.read(file)) };
  }

  /** Length of a blob when it is unpacked, from the end of its gzip; undefined where there is no such blob. */
  async #lengthOf(file: string): Promise<number | undefined> {
    // The format has the length modulo 4 GiB. The largest conversion, lines of JSON of 50 million values, is smaller.
    const end = await this.#blobs.getRange(file, -4, 4);
    return end && Buffer.from(end).readUInt32LE(0);
  }

  async #converted(conversion: Conversion, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const running = this.#running.get(conversion.to) ?? this.#start(conversion);
    running.callers++;
    try {
      await Promise.race([running.done, rejection(signal)]);
    } catch (error) {
      if (error instanceof NoSpaceError) {
        const text = "There is no space for the result in this format at the moment";
        throw new UnavailableError(text, NO_SPACE_RETRY_S, { cause: error });
      }
      throw error;
    } finally {
      running.callers--;
      if (running.callers === 0) {
        running.stop.abort(new Error("Nobody waits for the conversion"));
        this.#forget(conversion.to, running);
      }
    }
  }

  #start(conversion: Conversion): RunningConversion {
    const slots = (conversion.source.size ?? 0) > LARGE ? MAX_RUNNING : 1;
    if (this.#waiting.length >= MAX_WAITING)
      throw new UnavailableError("Too many results are being converted", BUSY_RETRY_S);
    const stop = new AbortController();
    const running = { done: this.#run(conversion, slots, stop.signal), stop, callers: 0 };
    this.#running.set(conversion.to, running);
    running.done
      .catch(() => undefined) // Those who wait receive it.
      .finally(() => this.#forget(conversion.to, running));
    return running;
  }

  async #run(conversion: Conversion, slots: number, signal: AbortSignal): Promise<void> {
    await this.#slots(slots, signal);
    try {
      await this.#convert(conversion, signal);
    } finally {
      this.#free(slots);
    }
  }

  /** Resolves when as many slots are taken, in the order of the calls. */
  #slots(slots: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.length === 0 && this.#freeSlots >= slots) {
      this.#freeSlots -= slots;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting = { slots, start: resolve };
      this.#waiting.push(waiting);
      signal.addEventListener("abort", () => {
        const before = this.#waiting.length;
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        // It may be what the others waited for.
        if (this.#waiting.length < before) this.#free(0);
        reject(signal.reason);
      });
    });
  }

  #free(slots: number): void {
    this.#freeSlots += slots;
    while (this.#waiting[0] && this.#waiting[0].slots <= this.#freeSlots) {
      const next = this.#waiting.shift()!;
      this.#freeSlots -= next.slots;
      next.start();
    }
  }

  #forget(file: string, running: RunningConversion): void {
    if (this.#running.get(file) === running) this.#running.delete(file);
  }
}

/** Rejects with the signal's reason. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
