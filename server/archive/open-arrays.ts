import type { FieldName } from "#lib/catalog/fields.ts";
import type { ChunkCache } from "./chunk-cache.ts";
import { andThen } from "./maybe-promise.ts";
import type { Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";
import { openArray, type PointArray, pointArray, tableBytes } from "./stored-array.ts";
import { pointsGroup } from "./zarr-metadata.ts";

/** The arrays of the points layout that are open, the ones used longest ago closed when their tables outgrow a budget. */
export class OpenArrays {
  private readonly store: ChunkStore;
  private readonly cache: ChunkCache;
  private readonly budget: number;
  private readonly runs = new Map<string, Map<FieldName, PointArray>>();
  private held = 0;

  /** @param budget For tables, bytes. One array is always kept, and those in use. */
  constructor(store: ChunkStore, cache: ChunkCache, budget: number) {
    this.store = store;
    this.cache = cache;
    this.budget = budget;
  }

  /** Bytes of the tables of all open arrays. */
  get byteLength(): number {
    return this.held;
  }

  get(run: Run, field: FieldName, signal: AbortSignal): PointArray | Promise<PointArray> {
    const open = this.runs.get(run.id)?.get(field);
    if (open) return open;
    return andThen(openArray(this.store, run, pointsGroup, field, signal), (array) => {
      // Another request may have opened it meanwhile.
      const known = this.runs.get(run.id)?.get(field);
      return known ?? this.add(pointArray(run, array, this.cache.slotValues));
    });
  }

  private add(array: PointArray): PointArray {
    const bytes = tableBytes(array);
    while (this.held + bytes > this.budget && this.closeOldest());
    array.number = this.cache.register(array.slots);
    const fields = this.runs.get(array.run) ?? new Map<FieldName, PointArray>();
    this.runs.set(array.run, fields.set(array.field, array));
    this.held += bytes;
    return array;
  }

  /** Returns whether there was one to close. */
  private closeOldest(): boolean {
    let oldest: PointArray | undefined;
    for (const fields of this.runs.values())
      for (const array of fields.values())
        if (array.users === 0 && (!oldest || array.usedIn < oldest.usedIn)) oldest = array;
    if (!oldest) return false;
    this.close(oldest);
    return true;
  }

  /** Closes the arrays of all other runs, but for those in use. */
  closeAllBut(runs: ReadonlySet<string>): void {
    for (const [run, fields] of this.runs)
      if (!runs.has(run)) for (const array of fields.values()) if (array.users === 0) this.close(array);
  }

  private close(array: PointArray): void {
    const fields = this.runs.get(array.run)!;
    fields.delete(array.field);
    if (fields.size === 0) this.runs.delete(array.run);
    this.cache.forget(array.number);
    this.held -= tableBytes(array);
  }
}
