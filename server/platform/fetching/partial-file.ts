import { appendFileSync, writeSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { ifMissing } from "#server/platform/files.ts";
import { isBound, type ObjectVersion } from "./answer.ts";
import { type Interval, Intervals } from "./intervals.ts";

/** A killed process loses of each request this, and what is in the socket, at most. As much as a record of TLS brings. */
const BLOCK = 16 * 1024;

/**
 * A file that is fetched in pieces, and what is there of it after the process was killed or the power failed.
 *
 * Beside it lies a journal: what the file is made of, the version of the object, then place, length and CRC-32 of each
 * block. A block counts when the file has bytes with its checksum. So nothing is synced while bytes arrive, and what the
 * disk has lost is simply fetched again.
 */
export class PartialFile implements AsyncDisposable {
  /** Bytes that were found when it was opened. */
  readonly found: number;
  readonly path: string;
  readonly #key: string;
  readonly #file: FileHandle;
  readonly #present: Intervals;
  #journal: FileHandle | undefined;
  #version: ObjectVersion | undefined;

  private constructor(path: string, key: string, file: FileHandle, journal: Journal) {
    this.path = path;
    this.#key = key;
    this.#file = file;
    this.#present = journal.blocks;
    this.#version = journal.version;
    this.found = journal.blocks.size;
  }

  /**
   * @param key What the file is made of. What is there under another key is not used.
   */
  static async open(path: string, key: string): Promise<PartialFile> {
    const file = await openOrCreate(path);
    try {
      const journal = await readJournal(path, key, file);
      if (journal.blocks.size === 0) await file.truncate();
      const partial = new PartialFile(path, key, file, journal);
      if (journal.version) partial.#journal = await open(journalOf(path), "a");
      return partial;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Whose bytes are in it; undefined before the first. */
  get version(): ObjectVersion | undefined {
    return this.#version;
  }

  /** Bytes that are there. */
  get size(): number {
    return this.#present.size;
  }

  /** Parts of an interval that are not there. @param to Excluded; Infinity where the end is not known. */
  missing(from: number, to: number): Interval[] {
    return this.#present.missing(from, to);
  }

  /** Says whose bytes follow. To be called once, before the first bytes, where `version` is undefined. */
  async bind({ etag, lastModified, total }: ObjectVersion): Promise<void> {
    const version = { etag, lastModified, total };
    await writeFile(journalOf(this.path), `${JSON.stringify({ key: this.#key, version })}\n`);
    this.#journal = await open(journalOf(this.path), "a");
    this.#version = version;
  }

  /**
   * Writes bytes as they come, in order of their places within one writer; several writers may write by turns.
   *
   * Bytes and journal are handed to the system before it returns: the pool of threads that writes without blocking is also
   * that of compression, behind which seconds of what had arrived would wait, unwritten, for a kill.
   */
  writer(): { write(at: number, bytes: Uint8Array): void; end(): void } {
    let [start, length, checksum] = [0, 0, 0];
    const endBlock = () => {
      if (length === 0) return;
      this.#present.add(start, start + length);
      if (this.#journal) appendFileSync(this.#journal.fd, `${start} ${length} ${checksum.toString(16)}\n`);
      length = 0;
    };
    return {
      write: (at, bytes) => {
        if (at !== start + length) endBlock();
        if (length === 0) [start, checksum] = [at, 0];
        writeAll(this.#file.fd, bytes, at);
        length += bytes.length;
        checksum = crc32(bytes, checksum);
        // Not with the next bytes: they may never come.
        if (length >= BLOCK) endBlock();
      },
      end: endBlock,
    };
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }

  /** Waits until the disk has its bytes. */
  async sync(): Promise<void> {
    await this.#file.sync();
  }

  /** Gives it a name of its own when it is whole. The name is durable when its folder is synced. */
  async moveTo(name: string): Promise<void> {
    await this[Symbol.asyncDispose]();
    await rename(this.path, name);
    await rm(journalOf(this.path), { force: true });
  }

  /** Deletes it. */
  async discard(): Promise<void> {
    await this[Symbol.asyncDispose]();
    await rm(journalOf(this.path), { force: true });
    await rm(this.path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#journal?.close();
    this.#journal = undefined;
    await this.#file.close();
  }
}

const journalOf = (path: string) => `${path}.journal`;

async function openOrCreate(path: string): Promise<FileHandle> {
  return open(path, "r+").catch(async (error) => {
    if (error.code !== "ENOENT") throw error;
    return open(path, "wx+");
  });
}

interface Journal {
  version: ObjectVersion | undefined;
  blocks: Intervals;
}

/** Blocks of the journal whose bytes are in the file. The last line may be torn: its checksum does not match. */
async function readJournal(path: string, key: string, file: FileHandle): Promise<Journal> {
  const [head = "", ...lines] = (await readFile(journalOf(path), "utf8").catch(ifMissing(""))).split("\n");
  const version = readHead(head, key);
  const blocks = new Intervals();
  if (!version) return { version: undefined, blocks };
  const { size } = await file.stat();
  let buffer = Buffer.alloc(0);
  for (const line of lines) {
    const [start, length, checksum] = line.split(" ");
    const [from, bytes] = [Number(start), Number(length)];
    const isPlace = Number.isSafeInteger(from) && Number.isSafeInteger(bytes) && from >= 0 && bytes > 0;
    if (checksum === undefined || !isPlace || from + bytes > size) continue;
    if (buffer.length < bytes) buffer = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(buffer, 0, bytes, from);
    const found = crc32(buffer.subarray(0, bytesRead)).toString(16);
    if (bytesRead === bytes && found === checksum) blocks.add(from, from + bytes);
  }
  return { version, blocks };
}

function readHead(line: string, key: string): ObjectVersion | undefined {
  try {
    const head: { key: string; version: ObjectVersion } = JSON.parse(line);
    return head.key === key && isBound(head.version) ? head.version : undefined;
  } catch {
    // Torn, or of another program: nothing that it says is used.
    return undefined;
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
