/** The rounded numbers of whole steps, the least recently used dropped first. */
export interface StepCache {
  /** One array an output, in the order of the variable's table; not to be written to. */
  get(key: string): readonly Uint16Array[] | undefined;
  set(key: string, slots: readonly Uint16Array[]): void;
}

/** @param budget Bytes, which the arrays together never exceed. */
export function stepCache(budget: number): StepCache {
  const kept = new Map<string, readonly Uint16Array[]>();
  let bytes = 0;
  const sizeOf = (slots: readonly Uint16Array[] | undefined) =>
    (slots ?? []).reduce((sum, { byteLength }) => sum + byteLength, 0);
  const drop = (key: string) => {
    bytes -= sizeOf(kept.get(key));
    kept.delete(key);
  };
  return {
    get(key) {
      const slots = kept.get(key);
      if (slots) {
        kept.delete(key);
        kept.set(key, slots);
      }
      return slots;
    },
    set(key, slots) {
      drop(key);
      if (sizeOf(slots) > budget) return;
      kept.set(key, slots);
      bytes += sizeOf(slots);
      for (const oldest of kept.keys()) {
        if (bytes <= budget) break;
        drop(oldest);
      }
    },
  };
}
