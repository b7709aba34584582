import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { zxyToTileId } from "pmtiles";

/** A tile of an archive. */
export interface Tile {
  z: number;
  x: number;
  y: number;
  bytes: Uint8Array;
}

interface Entry {
  id: number;
  offset: number;
  length: number;
  /** Consecutive tiles with these bytes; 0 for an entry that points to a leaf directory. */
  run: number;
}

/** Entries of a leaf directory; one is read with the first tile of a region and zoom. */
const LEAF_ENTRIES = 2048;

/** Header and root directory are read together, as so many bytes. */
const ROOT_BYTES = 16_384;

/**
 * An archive of vector tiles in the format PMTiles, version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
 * Equal tiles are stored once. Tiles and directories are packed by gzip.
 *
 * @param rootZoom Tiles up to this zoom are in the root directory, so that a first view needs no other.
 */
export function pmtiles(tiles: readonly Tile[], rootZoom: number, metadata: object): Uint8Array {
  const parts: Uint8Array[] = [];
  const offsets = new Map<string, Pick<Entry, "offset" | "length">>();
  const entries: Entry[] = [];
  const ordered = tiles.map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }));
  ordered.sort((one, other) => one.id - other.id);
  let dataBytes = 0;
  for (const { id, bytes } of ordered) {
    const hash = createHash("sha256").update(bytes).digest("base64");
    let place = offsets.get(hash);
    if (!place) {
      const packed = gzipSync(bytes, { level: 9 });
      place = { offset: dataBytes, length: packed.length };
      offsets.set(hash, place);
      parts.push(packed);
      dataBytes += packed.length;
    }
    const last = entries.at(-1);
    if (last?.offset === place.offset && id === last.id + last.run) last.run++;
    else entries.push({ id, ...place, run: 1 });
  }
  const firstLeaf = entries.findIndex(({ id }) => id >= zxyToTileId(rootZoom + 1, 0, 0));
  const root = entries.slice(0, firstLeaf);
  const leaves: Uint8Array[] = [];
  let leafBytes = 0;
  for (let at = firstLeaf; at < entries.length; at += LEAF_ENTRIES) {
    const leaf = directory(entries.slice(at, at + LEAF_ENTRIES));
    root.push({ id: entries[at]!.id, offset: leafBytes, length: leaf.length, run: 0 });
    leaves.push(leaf);
    leafBytes += leaf.length;
  }
  const packedRoot = directory(root);
  const about = gzipSync(JSON.stringify(metadata));
  const zooms = tiles.map(({ z }) => z);
  const header = new DataView(new ArrayBuffer(127));
  for (const [at, letter] of [..."PMTiles"].entries()) header.setUint8(at, letter.charCodeAt(0));
  header.setUint8(7, 3);
  const big = (at: number, value: number) => header.setBigUint64(at, BigInt(value), true);
  let offset = 127;
  const sections = [packedRoot.length, about.length, leafBytes, dataBytes];
  for (const [index, length] of sections.entries()) {
    big(8 + 16 * index, offset);
    big(16 + 16 * index, length);
    offset += length;
  }
  big(72, tiles.length);
  big(80, entries.length);
  big(88, offsets.size);
  // Tiles are in the order of their ids; directories and tiles are packed by gzip; the tiles are vector tiles.
  for (const [at, value] of [1, 2, 2, 1].entries()) header.setUint8(96 + at, value);
  header.setUint8(100, Math.min(...zooms));
  header.setUint8(101, Math.max(...zooms));
  for (const [at, degrees] of [-180, -85.0511287, 180, 85.0511287].entries())
    header.setInt32(102 + 4 * at, Math.round(degrees * 1e7), true);
  if (127 + packedRoot.length > ROOT_BYTES) throw new Error("The root directory is too large for its place.");
  return Buffer.concat([new Uint8Array(header.buffer), packedRoot, about, ...leaves, ...parts]);
}

/** Columns of entries, each as numbers of variable length: differences of ids, runs, lengths, offsets. */
function directory(entries: readonly Entry[]): Uint8Array {
  const numbers = [entries.length];
  for (const [at, { id }] of entries.entries()) numbers.push(id - (entries[at - 1]?.id ?? 0));
  for (const { run } of entries) numbers.push(run);
  for (const { length } of entries) numbers.push(length);
  for (const [at, { offset }] of entries.entries()) {
    const before = entries[at - 1];
    // 0 means that the bytes follow those of the entry before.
    numbers.push(before && offset === before.offset + before.length ? 0 : offset + 1);
  }
  return gzipSync(Uint8Array.from(numbers.flatMap(varint)), { level: 9 });
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
