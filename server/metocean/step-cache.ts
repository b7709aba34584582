import { LRUCache } from "lru-cache";
import type { WrittenGrid } from "#lib/field/map-field.ts";
import { type DeflatedPart, deflatedPart } from "#server/platform/gzip-parts.ts";

/** A whole step, ready to be written: one entry per output, in the order of the variable's table. */
export interface CachedStep {
  /** Read-only. */
  entries: readonly Uint16Array[];
  /** Their JSON. */
  texts: readonly WrittenGrid[];
}

/** Whole steps, least recently used evicted first. */
export type StepCache = ReturnType<typeof stepCache>;

/** A cached step and its size. Replaced, never changed: the cache only reads the size of a new value. */
interface Entry {
  step: CachedStep;
  bytes: number;
}

/** @param budget Bytes for everything together. */
export function stepCache(budget: number) {
  const keys = new WeakMap<WrittenGrid, string>();
  const compressed = new WeakMap<WrittenGrid, Promise<DeflatedPart>>();
  const cached = new LRUCache<string, Entry>({
    maxSize: budget,
    sizeCalculation: ({ bytes }) => bytes,
    // A response that is being sent may still use the text, but its compressed form is no longer counted.
    dispose: ({ step }) => {
      for (const text of step.texts) compressed.delete(text);
    },
  });

  /** Counts a compressed text with its step, or drops it if it exceeds the budget. */
  function count(text: WrittenGrid, pending: Promise<DeflatedPart>, part?: DeflatedPart): void {
    const key = keys.get(text) ?? "";
    const entry = cached.peek(key);
    const bytes = (entry?.bytes ?? 0) + sizeOf(part?.blocks ?? []);
    if (part && entry?.step.texts.includes(text) && bytes <= budget)
      cached.set(key, { step: entry.step, bytes }, { noDisposeOnSet: true });
    else if (compressed.get(text) === pending) compressed.delete(text);
  }

  return {
    get: (key: string): CachedStep | undefined => cached.get(key)?.step,
    set(key: string, step: CachedStep): void {
      cached.set(key, {
        step,
        bytes: sizeOf([...step.entries, ...step.texts.flatMap(({ pieces }) => pieces)]),
      });
      for (const text of step.texts) keys.set(text, key);
    },
    /** One of the texts as part of a gzip stream: compressed on first use, cached as long as its step. */
    deflated(text: WrittenGrid): Promise<DeflatedPart> {
      const known = compressed.get(text);
      if (known) return known;
      const pending = deflatedPart(text.pieces);
      compressed.set(text, pending);
      pending.then(
        (part) => count(text, pending, part),
        () => count(text, pending),
      );
      return pending;
    },
    /** Memory of all entries: numbers, texts, and their compressed form. */
    get bytes(): number {
      return cached.calculatedSize;
    },
  };
}

/** Memory behind arrays, including the rest of the buffer that a view is part of. */
function sizeOf(arrays: readonly ArrayBufferView[]): number {
  return arrays.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
