import { crc32 } from "node:zlib";
import { type DeflatedPart, deflatedPart } from "#server/platform/gzip-parts.ts";

/** Text that is compressed together: long enough for matches, short enough to be compressed while the next is made. */
const BATCH_BYTES = 512 * 1024;

/** A text that is compressed while it is made, off the calling thread. */
export class DeflatedColumn {
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #parts: Promise<DeflatedPart>[] = [];
  #crc = 0;
  #length = 0;

  /** Takes the text over. */
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
    // An error is reported by `end`, also where that is not called.
    part.catch(() => undefined);
    this.#parts.push(part);
    this.#batch = [];
    this.#batchBytes = 0;
  }
}
