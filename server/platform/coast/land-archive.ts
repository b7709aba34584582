import { openSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { bytesToHeader, type Entry, findTile, readVarint, zxyToTileId } from "pmtiles";

/** Bytes of the header of an archive. */
const HEADER_BYTES = 127;

/** Directories below the root may point to others this many times. */
const MAX_DEPTH = 3;

/**
 * Reads tiles from a PMTiles file at once, where the package `pmtiles` gives promises: a search for a way by water asks for
 * land thousands of times. Directories stay in memory.
 */
export class LandArchive {
  readonly #file: number;
  readonly #header: ReturnType<typeof bytesToHeader>;
  readonly #directories = new Map<number, Entry[]>();

  /** @throws Error If the file is missing or not an archive. */
  constructor(file: URL) {
    this.#file = openSync(file, "r");
    const header = this.#read(0, HEADER_BYTES);
    this.#header = bytesToHeader(header.buffer as ArrayBuffer, "");
  }

  /** The bytes of a tile, unpacked; undefined if the archive has no such tile. */
  tile(z: number, x: number, y: number): Uint8Array | undefined {
    const { rootDirectoryOffset, rootDirectoryLength, leafDirectoryOffset, tileDataOffset } = this.#header;
    const id = zxyToTileId(z, x, y);
    let [offset, length] = [rootDirectoryOffset, rootDirectoryLength];
    for (let depth = 0; depth <= MAX_DEPTH; depth++) {
      const entry = findTile(this.#directory(offset, length), id);
      if (!entry) return undefined;
      if (entry.runLength > 0) return gunzipSync(this.#read(tileDataOffset + entry.offset, entry.length));
      [offset, length] = [leafDirectoryOffset + entry.offset, entry.length];
    }
    throw new Error("The directories of the archive are nested too deeply.");
  }

  #directory(offset: number, length: number): Entry[] {
    const known = this.#directories.get(offset);
    if (known) return known;
    const entries = entriesOf(gunzipSync(this.#read(offset, length)));
    this.#directories.set(offset, entries);
    return entries;
  }

  #read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    if (readSync(this.#file, bytes, 0, length, offset) < length)
      throw new Error("The archive of the land ends before its content.");
    return bytes;
  }
}

/** @see https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md for the four columns of a directory. */
function entriesOf(buf: Uint8Array): Entry[] {
  const from = { buf, pos: 0 };
  const entries = Array.from(
    { length: readVarint(from) },
    (): Entry => ({ tileId: 0, offset: 0, length: 0, runLength: 0 }),
  );
  let id = 0;
  for (const entry of entries) {
    id += readVarint(from);
    entry.tileId = id;
  }
  for (const entry of entries) entry.runLength = readVarint(from);
  for (const entry of entries) entry.length = readVarint(from);
  for (const [at, entry] of entries.entries()) {
    const offset = readVarint(from);
    const before = entries[at - 1];
    entry.offset = offset === 0 && before ? before.offset + before.length : offset - 1;
  }
  return entries;
}
