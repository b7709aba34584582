import { appendFileSync, writeSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { ifMissing } from "#server/platform/files.ts";
import { BrokenError, ReplacedError } from "./errors.ts";
import type { Fetcher } from "./fetcher.ts";
import type { GetOptions } from "./request.ts";
import { isBound, type ObjectVersion } from "./request.ts";

/**
 * Bytes of each request that a killed process loses at most, besides what is in the socket. One TLS record carries as
 * much.
 */
const BLOCK = 16 * 1024;

/**
 * A file that is fetched in pieces. It keeps what arrived when the process is killed or the power fails.
 *
 * A journal beside it records the key, the version of the object, and then offset, length and CRC-32 of each block. A
 * block counts when the bytes in the file match its checksum. Nothing needs to be synced while bytes arrive: blocks
 * that the disk has lost are fetched again.
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

  /** @param key Identifies the content. Bytes stored under another key are not used. */
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

  get size(): number {
    return this.#present.size;
  }

  /** Parts of an interval that are not present. @param to Excluded; Infinity where the end is not known. */
  missing(from: number, to: number): Interval[] {
    return this.#present.missing(from, to);
  }

  /**
   * Records the version of the object whose bytes follow. Call it once, before the first bytes, where `version` is
   * undefined.
   */
  async bind({ etag, lastModified, total }: ObjectVersion): Promise<void> {
    const version = { etag, lastModified, total };
    await writeFile(journalOf(this.path), `${JSON.stringify({ key: this.#key, version })}\n`);
    this.#journal = await open(journalOf(this.path), "a");
    this.#version = version;
  }

  /**
   * Returns a writer that takes bytes in ascending order of offset. Several writers may interleave.
   *
   * Bytes and journal are written synchronously. Asynchronous writes would share the thread pool with compression and
   * could wait there for seconds; a kill would lose them.
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
        // The block ends now and not with the next bytes, which may never come.
        if (length >= BLOCK) endBlock();
      },
      end: endBlock,
    };
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }

  async sync(): Promise<void> {
    await this.#file.sync();
  }

  /** Gives the complete file its final name. The name is durable when its folder is synced. */
  async moveTo(name: string): Promise<void> {
    await this[Symbol.asyncDispose]();
    await rename(this.path, name);
    await rm(journalOf(this.path), { force: true });
  }

  /** Deletes the file and its journal. */
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

/**
 * Reads the blocks of the journal whose bytes are in the file. The last line may be torn; its checksum then does not
 * match.
 */
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
    // The journal is torn or belongs to another program, so nothing of it is used.
    return undefined;
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** `from` is included, `to` is not. */
type Interval = [from: number, to: number];

/** A set of offsets, as sorted intervals that neither touch nor overlap. */
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

  get size(): number {
    return this.#list.reduce((sum, [from, to]) => sum + to - from, 0);
  }

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

/** A range of bytes of an object, and its offset in the file. */
export interface Piece {
  from: number;
  /** Excluded; undefined for the end of the object. */
  to: number | undefined;
  at: number;
}

/** Largest gap between pieces that one request covers, bytes: fetching it costs less than another request. */
const MAX_GAP = 256 * 1024;

interface Range {
  from: number;
  /** Infinity where the end is not known. */
  to: number;
  pieces: { from: number; to: number; at: number }[];
}

/**
 * Fetches the missing bytes of a file. One request covers neighbouring pieces and small gaps; several requests run at
 * the same time.
 *
 * All requests are bound to one version: that of the file if it has bytes already, otherwise that of the first answer.
 * What arrives before a failure stays in the file.
 *
 * @param pieces Ascending, without overlap, in the object and in the file.
 * @param maxBytes Size limit of a piece whose end is not known.
 * @param arrived Called with the number of bytes whenever some arrive.
 * @throws FetchError: ReplacedError where the object is no longer the version of the file; the signal's reason.
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
      // Any other failure concerns one request only; the others continue, so that their bytes are not fetched again.
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
  // Some hosts do not support ranges, and a whole object needs none.
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
