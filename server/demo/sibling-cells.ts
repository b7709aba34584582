import { LRUCache } from "lru-cache";

/** Bytes that a cell takes in a map, about; and of its four values. */
const ENTRY_BYTES = 40;
const VALUE_BYTES = 8;

/** Cells that are computed, or were, and what came of them for the fields that nobody had asked for yet. */
interface Batch {
  cells: Int32Array;
  /** Position of each cell; made when another list is looked for, which is rare. */
  places: Map<number, number> | undefined;
  /** Settles when `values` are there, or failed. */
  done: Promise<unknown>;
  /** Int16, four a cell, by the folders of the fields; undefined while they are computed. */
  values: Map<string, Int16Array> | undefined;
}

/**
 * Values of cells of fields that were computed together with another: each is computed once, in whatever order they are
 * asked for.
 */
export class SiblingCells {
  readonly #batches: LRUCache<number, Batch>;
  readonly #ofFolder = new Map<string, Set<Batch>>();
  #next = 0;

  /** @param maxBytes Of what has been computed. */
  constructor(maxBytes: number) {
    this.#batches = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ cells, values }) =>
        (cells.length / 3) * (ENTRY_BYTES + VALUE_BYTES * (values?.size ?? 0)),
      dispose: (batch) => this.#forget(batch, batch.values?.keys() ?? []),
    });
  }

  /** The end of a computation of some of the cells; undefined where there is none. */
  underWay(folder: string, cells: Int32Array): Promise<unknown> | undefined {
    for (const batch of this.#ofFolder.get(folder) ?? [])
      if (!batch.values && holdsAny(batch, cells)) return batch.done;
    return undefined;
  }

  /**
   * @param cells As of `ChunkStore.getCells`.
   * @returns Values of the cells that are known (empty where none is), and the positions of those that are not.
   */
  find(folder: string, cells: Int32Array): { values: Int16Array; missing: number[] } {
    const known = [...(this.#ofFolder.get(folder) ?? [])].filter((batch) => batch.values).reverse();
    // As a rule all fields of a group are asked for with the same cells.
    const same = known.find((batch) => areEqual(batch.cells, cells));
    if (same) return { values: same.values!.get(folder)!, missing: [] };
    const count = cells.length / 3;
    if (known.length === 0)
      return { values: new Int16Array(), missing: Array.from({ length: count }, (_, i) => i) };
    const values = new Int16Array(4 * count);
    const missing: number[] = [];
    for (let i = 0; i < count; i++) {
      const key = keyOf(cells, i);
      const found = known.find((batch) => placesOf(batch).has(key));
      if (!found) {
        missing.push(i);
        continue;
      }
      const at = 4 * placesOf(found).get(key)!;
      const from = found.values!.get(folder)!;
      for (let corner = 0; corner < 4; corner++) values[4 * i + corner] = from[at + corner]!;
    }
    return { values, missing };
  }

  /**
   * Remembers what is being computed for the fields of other folders.
   *
   * @param computing Values by folder, int16, four a cell; those of other folders are not kept.
   */
  add(folders: readonly string[], cells: Int32Array, computing: Promise<Map<string, Int16Array>>): void {
    if (folders.length === 0) return;
    const batch: Batch = { cells, places: undefined, values: undefined, done: Promise.resolve() };
    batch.done = computing.then(
      (computed) => {
        batch.values = new Map(folders.map((folder) => [folder, computed.get(folder)!]));
        const id = this.#next++;
        this.#batches.set(id, batch);
        // One that is larger than the whole budget is not kept.
        if (!this.#batches.has(id)) this.#forget(batch, folders);
      },
      () => this.#forget(batch, folders),
    );
    for (const folder of folders) {
      const others = this.#ofFolder.get(folder) ?? new Set();
      this.#ofFolder.set(folder, others.add(batch));
    }
  }

  #forget(batch: Batch, folders: Iterable<string>): void {
    for (const folder of folders) {
      const others = this.#ofFolder.get(folder);
      others?.delete(batch);
      if (others?.size === 0) this.#ofFolder.delete(folder);
    }
  }
}

/** Step, row and column of the south-western node: fewer than 2 ** 53 together. */
function keyOf(cells: Int32Array, i: number): number {
  return (cells[3 * i]! * 65_536 + cells[3 * i + 1]!) * 65_536 + cells[3 * i + 2]!;
}

function placesOf(batch: Batch): Map<number, number> {
  batch.places ??= new Map(
    Array.from({ length: batch.cells.length / 3 }, (_, i) => [keyOf(batch.cells, i), i]),
  );
  return batch.places;
}

function areEqual(some: Int32Array, others: Int32Array): boolean {
  return some.length === others.length && some.every((number, i) => number === others[i]);
}

function holdsAny(batch: Batch, cells: Int32Array): boolean {
  if (areEqual(batch.cells, cells)) return true;
  const places = placesOf(batch);
  for (let i = 0; i < cells.length / 3; i++) if (places.has(keyOf(cells, i))) return true;
  return false;
}
