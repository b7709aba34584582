/** A whole step, ready to be written: one entry an output, in the order of the variable's table. */
export interface KeptStep {
  /** Not to be written to. */
  slots: readonly Uint16Array[];
  /** Their JSON. */
  texts: readonly (readonly Uint8Array[])[];
}

/** Whole steps, the least recently used dropped first. */
export interface StepCache {
  get(key: string): KeptStep | undefined;
  set(key: string, step: KeptStep): void;
}

/** @param budget Bytes, which all of it together never exceed. */
export function stepCache(budget: number): StepCache {
  const kept = new Map<string, KeptStep>();
  let bytes = 0;
  const sizeOf = (step: KeptStep | undefined) =>
    [...(step?.slots ?? []), ...(step?.texts ?? []).flat()].reduce(
      (sum, { buffer }) => sum + buffer.byteLength,
      0,
    );
  const drop = (key: string) => {
    bytes -= sizeOf(kept.get(key));
    kept.delete(key);
  };
  return {
    get(key) {
      const step = kept.get(key);
      if (step) {
        kept.delete(key);
        kept.set(key, step);
      }
      return step;
    },
    set(key, step) {
      drop(key);
      if (sizeOf(step) > budget) return;
      kept.set(key, step);
      bytes += sizeOf(step);
      for (const oldest of kept.keys()) {
        if (bytes <= budget) break;
        drop(oldest);
      }
    },
  };
}
