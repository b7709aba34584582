import type { WrittenGrid } from "#lib/field/map-field.ts";
import { type DeflatedPart, deflatedPart } from "#server/platform/gzip-parts.ts";

/** A whole step, ready to be written: one entry an output, in the order of the variable's table. */
export interface CachedStep {
  /** Not to be written to. */
  slots: readonly Uint16Array[];
  /** Their JSON. */
  texts: readonly WrittenGrid[];
}

/** Whole steps, the least recently used dropped first. */
export interface StepCache {
  get(key: string): CachedStep | undefined;
  set(key: string, step: CachedStep): void;
  /** One of the texts as it stands in a gzip stream: compressed when first asked for, kept as long as its step. */
  deflated(text: WrittenGrid): Promise<DeflatedPart>;
  /** All that is kept: numbers, texts, and what they are compressed to. */
  readonly bytes: number;
}

/** @param budget Bytes, which all of it together never exceed. */
export function stepCache(budget: number): StepCache {
  const kept = new Map<string, { step: CachedStep; bytes: number }>();
  const owners = new WeakMap<WrittenGrid, string>();
  const packed = new WeakMap<WrittenGrid, Promise<DeflatedPart>>();
  let bytes = 0;
  const drop = (key: string) => {
    const entry = kept.get(key);
    if (!entry) return;
    bytes -= entry.bytes;
    kept.delete(key);
    // An answer that is being sent may still hold the text, but nobody counts what hangs on it.
    for (const text of entry.step.texts) packed.delete(text);
  };
  const makeRoom = () => {
    for (const oldest of kept.keys()) {
      if (bytes <= budget) break;
      drop(oldest);
    }
  };
  return {
    get(key) {
      const entry = kept.get(key);
      if (entry) {
        kept.delete(key);
        kept.set(key, entry);
      }
      return entry?.step;
    },
    set(key, step) {
      drop(key);
      const size = sizeOf([...step.slots, ...step.texts.flatMap(({ pieces }) => pieces)]);
      if (size > budget) return;
      kept.set(key, { step, bytes: size });
      for (const text of step.texts) owners.set(text, key);
      bytes += size;
      makeRoom();
    },
    deflated(text) {
      const known = packed.get(text);
      if (known) return known;
      const making = deflatedPart(text.pieces);
      packed.set(text, making);
      const settle = (part?: DeflatedPart) => {
        const entry = kept.get(owners.get(text) ?? "");
        const size = sizeOf(part?.blocks ?? []);
        if (!part || !entry?.step.texts.includes(text) || entry.bytes + size > budget) {
          if (packed.get(text) === making) packed.delete(text);
          return;
        }
        entry.bytes += size;
        bytes += size;
        makeRoom();
      };
      making.then(settle, () => settle());
      return making;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** Memory behind arrays, also where they are a part of it. */
function sizeOf(arrays: readonly ArrayBufferView[]): number {
  return arrays.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
