import type { FrameCache } from "#server/metocean/frames.ts";

/**
 * Keeps compressed frames in memory, the least recently used dropped first.
 *
 * @param budget Bytes.
 */
export function frameCache(budget: number): FrameCache {
  const held = new Map<string, Uint8Array>();
  let bytes = 0;
  return {
    get(key) {
      const frame = held.get(key);
      if (frame) {
        held.delete(key);
        held.set(key, frame);
      }
      return frame;
    },
    set(key, frame) {
      bytes += frame.length - (held.get(key)?.length ?? 0);
      held.delete(key);
      held.set(key, frame);
      for (const [oldest, { length }] of held) {
        if (bytes <= budget) break;
        held.delete(oldest);
        bytes -= length;
      }
    },
  };
}
