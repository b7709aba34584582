import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { encodeShardIndex } from "./shard-index.ts";

const BUFFER_BYTES = 1 << 20;

/** A finished file of a run. */
export interface WrittenFile {
  bytes: number;
  sha256: string;
}

/** Appends the chunks of one array to its shard; only the index stays in memory until the end. */
export class ShardWriter {
  private readonly file: FileHandle;
  private readonly entries: Float64Array;
  private readonly buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  private readonly hash = createHash("sha256");
  private filled = 0;
  private written = 0;

  private constructor(file: FileHandle, chunks: number) {
    this.file = file;
    this.entries = new Float64Array(2 * chunks).fill(-1);
  }

  static async create(path: string, chunks: number): Promise<ShardWriter> {
    return new ShardWriter(await open(path, "wx"), chunks);
  }

  /** Appends a chunk. `chunk` is its number in C order; the bytes are copied. A returned promise must be awaited before the next call. */
  append(chunk: number, bytes: Uint8Array): void | Promise<void> {
    this.entries[2 * chunk] = this.written + this.filled;
    this.entries[2 * chunk + 1] = bytes.length;
    return this.put(bytes);
  }

  private put(bytes: Uint8Array): void | Promise<void> {
    if (this.filled + bytes.length > BUFFER_BYTES) return this.flushThenPut(bytes);
    this.buffer.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  private async flushThenPut(bytes: Uint8Array): Promise<void> {
    await this.flush();
    if (bytes.length > BUFFER_BYTES) await this.write(bytes);
    else {
      this.buffer.set(bytes, 0);
      this.filled = bytes.length;
    }
  }

  private async flush(): Promise<void> {
    await this.write(this.buffer.subarray(0, this.filled));
    this.filled = 0;
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.hash.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, at, bytes.length - at);
      at += bytesWritten;
    }
    this.written += bytes.length;
  }

  /** Writes the index and syncs the file to the disk. */
  async finish(): Promise<WrittenFile> {
    await this.put(encodeShardIndex(this.entries));
    await this.flush();
    await this.file.sync();
    await this.file.close();
    return { bytes: this.written, sha256: this.hash.digest("hex") };
  }

  /** Closes the file if it was not finished. */
  close(): Promise<void> {
    return this.file.close();
  }
}
