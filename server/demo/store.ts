import { LRUCache } from "lru-cache";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import {
  type ByteRange,
  type CellStore,
  type ChunkStore,
  ObjectMissingError,
} from "#server/archive/store.ts";
import { fieldMetadata, SHARD_KEY } from "#server/archive/zarr-metadata.ts";
import { andThen } from "#server/platform/and-then.ts";
import { chunkBytes, chunkCount, type DemoArray, demoArray } from "./chunk.ts";
import { groupOf } from "./fields/field-groups.ts";
import type { DemoPool } from "./pool.ts";
import { SiblingCells } from "./sibling-cells.ts";

/** Memory for chunks of sibling fields, which are likely to be read next. */
const MAX_SIBLING_BYTES = 64 * 2 ** 20;

/**
 * Cells that cost as much as a chunk, which has two steps of 256 nodes: what takes time is to find the weather around a
 * place (`bench "demo world"`).
 */
const CELLS_PER_CHUNK = 8;

/** Computes many chunks of one array in parallel, or single cells. */
type DemoStore = CellStore & Required<Pick<ChunkStore, "getRanges">>;

/**
 * The demo world under the keys of the archive: the metadata of every array, and its chunks, which are computed on request.
 * A value depends on its node and hour alone, so chunks agree however they are cut.
 *
 * @param siblingBytes Memory for chunks of fields that were computed together with the requested one.
 */
export function demoStore(
  pool: Pick<DemoPool, "compute" | "computeCells">,
  siblingBytes = MAX_SIBLING_BYTES,
): DemoStore {
  // The reader caches what it takes, so a chunk is deleted here when it is handed out.
  const siblings = new LRUCache<string, Uint8Array>({
    maxSize: Math.max(1, Math.min(siblingBytes, MAX_SIBLING_BYTES)),
    sizeCalculation: ({ buffer }) => buffer.byteLength,
  });
  const siblingCells = new SiblingCells(Math.min(siblingBytes, MAX_SIBLING_BYTES) / 4);
  /** What is computed now, by the chunks of siblings that come of it. */
  const underWay = new Map<string, Promise<unknown>>();

  /** Computes what others wait for under the names given. */
  function shared<Result>(names: readonly string[], computing: Promise<Result>): Promise<Result> {
    for (const name of names) underWay.set(name, computing);
    const forget = () => {
      for (const name of names) if (underWay.get(name) === computing) underWay.delete(name);
    };
    computing.then(forget, forget);
    return computing;
  }

  function getRanges(
    key: string,
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Uint8Array[] | Promise<Uint8Array[] | undefined> | undefined {
    const found = arrayOf(key, `/${SHARD_KEY}`);
    if (!found) return undefined;
    const { folder, array } = found;
    const length = chunkBytes(array);
    const end = length * chunkCount(array);
    const awaited = new Set<Promise<unknown>>();
    for (const range of ranges) {
      const isChunk = range.length === length && range.offset >= 0 && range.offset < end;
      if (!isChunk || range.offset % length !== 0) return undefined;
      const computing = underWay.get(chunkKey(folder, range.offset / length));
      if (computing) awaited.add(computing);
    }
    // What has failed for another is computed here.
    if (awaited.size > 0) return Promise.allSettled(awaited).then(() => getRanges(key, ranges, signal));
    const parts = new Array<Uint8Array>(ranges.length);
    const missing: number[] = [];
    const places: number[] = [];
    for (const [place, range] of ranges.entries()) {
      const number = range.offset / length;
      const name = chunkKey(folder, number);
      const sibling = siblings.get(name);
      if (sibling) {
        parts[place] = sibling;
        siblings.delete(name);
      } else {
        missing.push(number);
        places.push(place);
      }
    }
    if (missing.length === 0) return parts;
    const ofSiblings = siblingsOf(folder, array).flatMap((sibling) =>
      missing.map((number) => chunkKey(sibling, number)),
    );
    const computing = pool.compute(folder, missing, signal).then((computed) => {
      let from = 0;
      for (const { fields: names, buffer } of computed) {
        const count = buffer.byteLength / length / names.length;
        for (const [i, name] of names.entries()) {
          for (let chunk = 0; chunk < count; chunk++) {
            // A copy: a view would retain the whole buffer.
            const at = (i * count + chunk) * length;
            const bytes = new Uint8Array(buffer.slice(at, at + length));
            if (name === array.field) parts[places[from + chunk]!] = bytes;
            else siblings.set(chunkKey(siblingOf(folder, name), missing[from + chunk]!), bytes);
          }
        }
        from += count;
      }
      return parts;
    });
    return shared(ofSiblings, computing);
  }

  async function getCells(key: string, cells: Int32Array, signal?: AbortSignal): Promise<Int16Array> {
    const found = arrayOf(key, `/${SHARD_KEY}`);
    if (!found) throw new ObjectMissingError(key);
    const { folder, array } = found;
    for (let some = siblingCells.underWay(folder, cells); some; some = siblingCells.underWay(folder, cells))
      await some;
    const { values, missing } = siblingCells.find(folder, cells);
    if (missing.length === 0) return values;
    // As a rule none is known.
    const isNew = 3 * missing.length === cells.length;
    const wanted = isNew
      ? cells
      : Int32Array.from(
          missing.flatMap((i) => [3 * i, 3 * i + 1, 3 * i + 2]),
          (at) => cells[at]!,
        );
    const computing = computeCells(folder, wanted, signal);
    siblingCells.add(siblingsOf(folder, array), wanted, computing);
    const computed = (await computing).get(folder)!;
    if (isNew) return computed;
    for (const [place, i] of missing.entries())
      values.set(computed.subarray(4 * place, 4 * place + 4), 4 * i);
    return values;
  }

  /** Values of a field and of those that are computed with it, by their folders. */
  async function computeCells(
    folder: string,
    cells: Int32Array,
    signal?: AbortSignal,
  ): Promise<Map<string, Int16Array>> {
    const computed = await pool.computeCells(folder, cells, signal);
    const names = computed[0]!.fields;
    const parts = computed.map(({ buffer }) => new Int16Array(buffer));
    const valuesOf = (place: number): Int16Array => {
      const values = new Int16Array((4 * cells.length) / 3);
      let at = 0;
      for (const part of parts) {
        const count = part.length / names.length;
        values.set(part.subarray(place * count, (place + 1) * count), at);
        at += count;
      }
      return values;
    };
    return new Map(names.map((name, place) => [siblingOf(folder, name), valuesOf(place)]));
  }

  return {
    getCells,
    cellsPerChunk: CELLS_PER_CHUNK,
    get(key) {
      const array = arrayOf(key, "/zarr.json")?.array;
      if (!array) return undefined;
      const layout = { shape: array.shape, chunk: array.chunk, codec: "plain" } as const;
      const comment = array.run.fields[array.field]?.comment;
      return new TextEncoder().encode(JSON.stringify(fieldMetadata(fields[array.field], layout, comment)));
    },
    getRange: (key, offset, length, signal) =>
      andThen(getRanges(key, [{ offset, length }], signal), (parts) => parts?.[0]),
    getRanges,
    evenChunks(key) {
      const array = arrayOf(key, `/${SHARD_KEY}`)?.array;
      return array && chunkBytes(array);
    },
  };
}

function arrayOf(key: string, ending: string): { folder: string; array: DemoArray } | undefined {
  if (!key.endsWith(ending)) return undefined;
  const folder = key.slice(0, -ending.length);
  const array = demoArray(folder);
  return array && { folder, array };
}

/** Folders of the fields that are computed with that of an array. */
function siblingsOf(folder: string, { run, field }: DemoArray): string[] {
  return groupOf(field)
    .fields.filter((name) => name !== field && Object.hasOwn(run.fields, name))
    .map((name) => siblingOf(folder, name));
}

function siblingOf(folder: string, field: FieldName): string {
  return `${folder.slice(0, folder.lastIndexOf("/"))}/${field}`;
}

const chunkKey = (folder: string, number: number) => `${folder} ${number}`;
