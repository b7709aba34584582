import { appendFileSync, writeSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { ifMissing } from "#server/platform/files.ts";
import { BrokenError, ReplacedError } from "./errors.ts";
import type { Fetcher } from "./fetcher.ts";
import type { GetOptions } from "./request.ts";
import { isBound, type ObjectVersion } from "./request.ts";

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

  /** Version of the object whose bytes the file has; undefined before the first byte. */
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

/** From, and to but not including. */
type Interval = [from: number, to: number];

/** A set of places, as sorted intervals that neither touch nor overlap. */
class Intervals {
  #list: Interval[] = [];

  add(from: number, to: number): void {
    if (from >= to) return;
    const apart = (one: Interval) => one[1] < from || one[0] > to;
    const joined = this.#list.filter((one) => !apart(one));
    const merged: Interval = [
      Math.min(from, ...joined.map(([start]) => start)),
      Math.max(to, ...joined.map(([, end]) => end)),
    ];
    this.#list = [...this.#list.filter(apart), merged].sort((one, other) => one[0] - other[0]);
  }

  /** How many places. */
  get size(): number {
    return this.#list.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  /** What an interval has besides these. */
  missing(from: number, to: number): Interval[] {
    const gaps: Interval[] = [];
    let at = from;
    for (const [start, end] of this.#list) {
      if (end <= at) continue;
      if (start >= to) break;
      if (start > at) gaps.push([at, start]);
      at = end;
    }
    if (at < to) gaps.push([at, to]);
    return gaps;
  }
}

/** Bytes of an object, and where they go in the file. */
export interface Piece {
  from: number;
  /** Excluded; undefined for the end of the object. */
  to: number | undefined;
  at: number;
}

/** Fetching so much that is not wanted costs less than another request. */
const MAX_GAP = 256 * 1024;

interface Range {
  from: number;
  /** Infinity where the end is not known. */
  to: number;
  pieces: { from: number; to: number; at: number }[];
}

/**
 * Fetches what a file lacks of its pieces, with one request for neighbours and small gaps, several at the same time.
 *
 * All requests are bound to the version that the first one answers, or that the file has from before. What arrives before
 * a failure stays in the file.
 *
 * @param pieces Ascending, without overlap, in the object and in the file.
 * @param maxBytes Of a piece whose end is not known.
 * @param arrived Called with the bytes of each request that arrive.
 * @throws FetchError: ReplacedError where the object is no longer that of the file; the signal's reason.
 */
export async function fetchPieces(
  fetcher: Fetcher,
  url: string,
  pieces: readonly Piece[],
  file: PartialFile,
  { maxBytes, arrived, signal }: { maxBytes: number; arrived: (bytes: number) => void; signal: AbortSignal },
): Promise<"done" | "absent"> {
  const outdated = new AbortController();
  const either = AbortSignal.any([signal, outdated.signal]);
  const failures: unknown[] = [];
  let absent = false;
  const fetchRange = async (range: Range, begun?: () => void) => {
    const writer = file.writer();
    let at = range.from;
    const into = async (bytes: Uint8Array, version: ObjectVersion) => {
      arrived(bytes.length);
      if (!file.version) await bind(url, pieces, file, version);
      begun?.();
      for (const piece of range.pieces) {
        const [from, to] = [Math.max(at, piece.from), Math.min(at + bytes.length, piece.to)];
        if (from < to) writer.write(piece.at + from - piece.from, bytes.subarray(from - at, to - at));
      }
      at += bytes.length;
    };
    try {
      const answer = await fetcher.get(url, {
        ...wantedOf(range, maxBytes),
        ifMatch: file.version,
        into,
        signal: either,
      });
      if (answer.kind === "absent") absent = true;
    } catch (error) {
      failures.push(error);
      // Other failures are of one request: what the others bring is not fetched again.
      if (error instanceof ReplacedError) outdated.abort(error);
    } finally {
      writer.end();
    }
  };
  const ranges = rangesOf(pieces, file);
  if (file.version) await Promise.all(ranges.map((range) => fetchRange(range)));
  else if (ranges.length > 0) {
    let others: Promise<unknown> | undefined;
    await fetchRange(ranges[0]!, () => {
      others ??= Promise.all(ranges.slice(1).map((range) => fetchRange(range)));
    });
    await others;
  }
  signal.throwIfAborted();
  outdated.signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return absent ? "absent" : "done";
}

function wantedOf({ from, to }: Range, maxBytes: number): Pick<GetOptions, "range" | "maxBytes"> {
  if (to !== Number.POSITIVE_INFINITY) return { range: { from, to }, maxBytes: to - from };
  // Some hosts know no ranges; a whole object needs none.
  return { range: from === 0 ? undefined : { from }, maxBytes };
}

async function bind(url: string, pieces: readonly Piece[], file: PartialFile, version: ObjectVersion) {
  if (!isBound(version) && pieces.length > 1) {
    const { host, pathname } = new URL(url);
    throw new BrokenError(host, pathname, "nothing says to which version its parts belong");
  }
  await file.bind(version);
}

function rangesOf(pieces: readonly Piece[], file: PartialFile): Range[] {
  const ranges: Range[] = [];
  for (const piece of pieces) {
    const end = piece.to ?? file.version?.total ?? Number.POSITIVE_INFINITY;
    for (const [start, stop] of file.missing(piece.at, piece.at + end - piece.from)) {
      const from = piece.from + start - piece.at;
      const lacking = { from, to: from + stop - start, at: start };
      const last = ranges.at(-1);
      if (last && lacking.from - last.to <= MAX_GAP) {
        last.pieces.push(lacking);
        last.to = lacking.to;
      } else ranges.push({ from, to: lacking.to, pieces: [lacking] });
    }
  }
  return ranges;
}
