import type { Grid } from "@open-metocean/geo/grid";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import { type CachedArray, type ChunkCache, ChunkTable, chunkValues, type OpenArray } from "./chunks.ts";
import { DamagedChunkError } from "./errors.ts";
import { chunkCounts } from "./layout.ts";
import type { Run } from "./run.ts";
import { INDICES, isWholeIndex, unpackIndex } from "./run-objects.ts";
import { chunkOffset, indexBytes, readShardIndex, type ShardIndex } from "./shard.ts";
import { type ByteRange, type ChunkStore, existing, rangesOf } from "./store.ts";
import { parseFieldMetadata, pointsGroup, type StoredArray, shardKey } from "./zarr-metadata.ts";

/** Opens an array: reads its metadata and the index of its shard, and checks both. */
export async function openArray(
  store: ChunkStore,
  run: Run,
  group: string,
  field: StoredName,
  signal?: AbortSignal,
): Promise<OpenArray> {
  const folder = `${run.path}/${group}/${field}`;
  const metadataKey = `${folder}/zarr.json`;
  const described = group === pointsGroup ? run.objects?.points[field] : undefined;
  const stored =
    described ??
    parseOrThrow(run, field, metadataKey, existing(metadataKey, await store.get(metadataKey, signal)));
  const key = `${folder}/${shardKey(stored)}`;
  const { scale, offset } = storedField(field);
  if (stored.scale !== scale || stored.offset !== offset)
    throw new DamagedChunkError(
      run.id,
      field,
      `${key} is packed in steps of ${stored.scale}, not ${scale}: ingest the run again`,
    );
  const members = run.fields[field]?.members && run.ensemble?.members.length;
  if (stored.members?.count !== members)
    throw new DamagedChunkError(
      run.id,
      field,
      `${key} has ${stored.members?.count ?? "no"} members, not ${members ?? "none"}`,
    );
  const chunks = chunkCounts(stored.shape, stored.chunk);
  const count = chunks[0] * chunks[1] * chunks[2];
  const length = store.evenChunks?.(key);
  const index =
    length !== undefined
      ? { count, full: true, length }
      : described
        ? await packedIndex(store, run, field, described.index, count, signal)
        : await readShardIndex(store, key, count, run.id, field, signal);
  return { ...stored, run: run.id, field, key, chunks, index };
}

async function packedIndex(
  store: ChunkStore,
  run: Run,
  field: StoredName,
  range: ByteRange,
  count: number,
  signal?: AbortSignal,
): Promise<ShardIndex> {
  const key = `${run.path}/${INDICES}`;
  const [packed] = await rangesOf(store, key, [range], signal, isWholeIndex);
  const index = unpackIndex(packed!, count);
  if (typeof index === "string") throw new DamagedChunkError(run.id, field, `${key}: ${index}`);
  return index;
}

function parseOrThrow(run: Run, field: StoredName, key: string, json: Uint8Array): StoredArray {
  try {
    return parseFieldMetadata(json);
  } catch (cause) {
    throw new DamagedChunkError(run.id, field, `${key} is not the metadata of a field`, { cause });
  }
}

/** An array of the points layout, with everything the sampler needs. */
export interface PointArray extends CachedArray {
  grid: Grid;
  /** Whether the field is the same at all times, so that time is ignored. */
  isStatic: boolean;
  /** Steps that the field has: their times (Unix seconds) and their indices in the stored time axis. */
  stepTimes: Float64Array;
  stepIndices: Int32Array;
  /** How long the last step stays valid, seconds. */
  validFor: number;
  /** Chunk edges are powers of two: number = index >> shift, place in the chunk = index & mask. */
  timeShift: number;
  memberShift: number;
  rowShift: number;
  columnShift: number;
  /** Number of calls that are reading the array. */
  users: number;
  usedIn: number;
}

/**
 * @param entryValues Size of a cache entry; larger chunks are refused.
 * @param onGrowth Called with the array when its table takes more memory.
 */
function pointArray(
  run: Run,
  array: OpenArray,
  entryValues: number,
  onGrowth: (array: PointArray) => void,
): PointArray {
  const [steps, rows, columns] = array.chunk;
  const places = array.members?.places ?? 1;
  const arePowers = [...array.chunk, places].every((edge) => Number.isInteger(Math.log2(edge)));
  if (chunkValues(array) > entryValues || !arePowers)
    throw new DamagedChunkError(run.id, array.field, `${array.key} has chunks of ${array.chunk.join("×")}`);
  const stepIndices = Int32Array.from(run.fields[array.field]?.steps ?? run.times.keys());
  const { index } = array;
  const isMissing = index.full ? undefined : (chunk: number) => chunkOffset(index, chunk) < 0;
  const opened: PointArray = {
    ...array,
    grid: run.grid,
    isStatic: run.times.length === 1 && run.times[0] === 0,
    stepIndices,
    stepTimes: Float64Array.from(stepIndices, (index) => run.times[index]!),
    validFor: run.holds ?? 0,
    timeShift: Math.log2(steps),
    memberShift: Math.log2(places),
    rowShift: Math.log2(rows),
    columnShift: Math.log2(columns),
    table: new ChunkTable(index.count, isMissing, () => onGrowth(opened)),
    number: -1,
    users: 0,
    usedIn: 0,
  };
  return opened;
}

/** Bytes that an open array takes. */
function tableBytes(array: PointArray): number {
  const { index, table, stepTimes, stepIndices } = array;
  return indexBytes(index) + table.byteLength + stepTimes.byteLength + stepIndices.byteLength;
}

/** Share of the budget down to which tables are trimmed, so that the next page does not trim them again. */
const TRIMMED_SHARE = 0.75;

/** The open arrays of the points layout; the least recently used are closed when their tables outgrow a budget. */
export class OpenArrays {
  private readonly store: ChunkStore;
  private readonly cache: ChunkCache;
  private readonly budget: number;
  private readonly runs = new Map<string, Map<StoredName, PointArray>>();

  /** @param budget Budget for tables, bytes. One array always stays open, and so do those in use. */
  constructor(store: ChunkStore, cache: ChunkCache, budget: number) {
    this.store = store;
    this.cache = cache;
    this.budget = budget;
  }

  /** Bytes of the tables of all open arrays. */
  get byteLength(): number {
    let bytes = 0;
    for (const fields of this.runs.values()) for (const array of fields.values()) bytes += tableBytes(array);
    return bytes;
  }

  /** An array that is open. */
  opened(run: Run, field: StoredName): PointArray | undefined {
    return this.runs.get(run.id)?.get(field);
  }

  /** Opens an array and counts the caller among its users; the caller releases it with `users--`. */
  async open(run: Run, field: StoredName, signal: AbortSignal): Promise<PointArray> {
    const opened = await openArray(this.store, run, pointsGroup, field, signal);
    // Another request may have opened the array meanwhile.
    const array =
      this.opened(run, field) ??
      this.add(pointArray(run, opened, this.cache.entryValues, (grown) => this.fit(grown)));
    array.users++;
    return array;
  }

  private add(array: PointArray): PointArray {
    array.number = this.cache.register(array.table);
    const fields = this.runs.get(array.run) ?? new Map<StoredName, PointArray>();
    this.runs.set(array.run, fields.set(array.field, array));
    this.fit(array);
    return array;
  }

  /** Brings the tables within the budget again. @param array An array in use, whose table has grown. */
  private fit(array: PointArray): void {
    let bytes = this.byteLength;
    if (bytes <= this.budget) return;
    const others = [...this.runs.values()]
      .flatMap((fields) => [...fields.values()])
      .filter((other) => other !== array)
      .sort((one, other) => one.usedIn - other.usedIn);
    for (const other of others) {
      if (bytes <= TRIMMED_SHARE * this.budget) return;
      bytes -= tableBytes(other);
      other.table.trim();
      bytes += tableBytes(other);
    }
    for (const other of others) {
      if (bytes <= this.budget) return;
      if (other.users > 0) continue;
      bytes -= tableBytes(other);
      this.close(other);
    }
  }

  /** Closes the arrays of all other runs, except those in use. */
  closeAllBut(runs: ReadonlySet<string>): void {
    for (const [run, fields] of this.runs)
      if (!runs.has(run)) for (const array of fields.values()) if (array.users === 0) this.close(array);
  }

  private close(array: PointArray): void {
    const fields = this.runs.get(array.run)!;
    fields.delete(array.field);
    if (fields.size === 0) this.runs.delete(array.run);
    this.cache.remove(array.number);
  }
}
