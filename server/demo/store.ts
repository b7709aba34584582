import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { type ByteRange, type ChunkStore, ObjectMissingError } from "#server/archive/store.ts";
import { fieldMetadata, SHARD_KEY } from "#server/archive/zarr-metadata.ts";
import { chunkBytes, chunkCount, type DemoArray, demoArray } from "./chunk.ts";
import type { DemoPool } from "./pool.ts";

/** Most memory for chunks that came along with others, and that the next question will be about. */
const KEPT_BYTES = 64 * 2 ** 20;

/**
 * The demo world behind the keys of the archive: the metadata of every array, and its chunks, which are computed when they
 * are asked for and are the same however they are cut.
 *
 * @param mostKept Bytes for chunks that came along with others.
 */
export function demoStore(pool: Pick<DemoPool, "compute">, mostKept = KEPT_BYTES): ChunkStore {
  const kept = new KeptChunks(Math.min(mostKept, KEPT_BYTES));

  function getRanges(key: string, ranges: readonly ByteRange[], signal?: AbortSignal) {
    const { folder, array } = arrayOf(key, `/${SHARD_KEY}`);
    const length = chunkBytes(array);
    const end = length * chunkCount(array);
    const parts = new Array<Uint8Array>(ranges.length);
    const missing: number[] = [];
    const places: number[] = [];
    for (const [place, range] of ranges.entries()) {
      const isChunk = range.length === length && range.offset >= 0 && range.offset < end;
      if (!isChunk || range.offset % length !== 0) throw new ObjectMissingError(key);
      const number = range.offset / length;
      const held = kept.take(folder, number);
      if (held) parts[place] = held;
      else {
        missing.push(number);
        places.push(place);
      }
    }
    if (missing.length === 0) return parts;
    return pool.compute(folder, missing, signal).then((computed) => {
      let from = 0;
      for (const { fields: names, buffer } of computed) {
        const count = buffer.byteLength / length / names.length;
        for (const [i, name] of names.entries()) {
          for (let chunk = 0; chunk < count; chunk++) {
            // A copy: a view would keep the whole buffer alive.
            const bytes = new Uint8Array(
              buffer.slice((i * count + chunk) * length, (i * count + chunk + 1) * length),
            );
            if (name === array.field) parts[places[from + chunk]!] = bytes;
            else kept.put(siblingOf(folder, name), missing[from + chunk]!, bytes);
          }
        }
        from += count;
      }
      return parts;
    });
  }

  return {
    get(key) {
      const { array } = arrayOf(key, "/zarr.json");
      const layout = { shape: array.shape, chunk: array.chunk };
      const comment = array.run.fields[array.field]?.comment;
      return new TextEncoder().encode(JSON.stringify(fieldMetadata(fields[array.field], layout, comment)));
    },
    getRanges,
    evenChunks: (key) => chunkBytes(arrayOf(key, `/${SHARD_KEY}`).array),
  };
}

function arrayOf(key: string, ending: string): { folder: string; array: DemoArray } {
  const folder = key.endsWith(ending) ? key.slice(0, -ending.length) : "";
  const array = demoArray(folder);
  if (!array) throw new ObjectMissingError(key);
  return { folder, array };
}

function siblingOf(folder: string, field: FieldName): string {
  return `${folder.slice(0, folder.lastIndexOf("/"))}/${field}`;
}

/** Chunks by array and number; each is given out once, and the oldest are dropped. */
class KeptChunks {
  private readonly chunks = new Map<string, Uint8Array>();
  private readonly most: number;
  private bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  put(folder: string, number: number, chunk: Uint8Array): void {
    const key = `${folder} ${number}`;
    this.drop(key);
    this.chunks.set(key, chunk);
    this.bytes += chunk.byteLength;
    for (const oldest of this.chunks.keys()) {
      if (this.bytes <= this.most) break;
      this.drop(oldest);
    }
  }

  /** The reader has a cache of its own: what it has taken need not be kept here too. */
  take(folder: string, number: number): Uint8Array | undefined {
    const key = `${folder} ${number}`;
    const chunk = this.chunks.get(key);
    this.drop(key);
    return chunk;
  }

  private drop(key: string): void {
    const chunk = this.chunks.get(key);
    if (!chunk) return;
    this.chunks.delete(key);
    this.bytes -= chunk.byteLength;
  }
}
