import type { FrameCache } from "./frames.ts";

/** A frame that is being made, and how many wait for it. */
interface Making {
  frame: Promise<Uint8Array>;
  waiting: number;
  stop: AbortController;
}

/**
 * Keeps compressed frames in memory, the least recently used dropped first; a frame that several ask for is made once.
 *
 * @param budget Bytes.
 */
export function frameCache(budget: number): FrameCache {
  const held = new Map<string, Uint8Array>();
  const making = new Map<string, Making>();
  let bytes = 0;

  function keep(key: string, frame: Uint8Array): void {
    held.set(key, frame);
    bytes += frame.length;
    for (const [oldest, { length }] of held) {
      if (bytes <= budget) break;
      held.delete(oldest);
      bytes -= length;
    }
  }

  function begin(key: string, make: (signal: AbortSignal) => Promise<Uint8Array>): Making {
    const stop = new AbortController();
    const begun: Making = { frame: make(stop.signal), waiting: 0, stop };
    making.set(key, begun);
    const end = () => {
      if (making.get(key) === begun) making.delete(key);
    };
    begun.frame.then((frame) => {
      end();
      if (!held.has(key)) keep(key, frame);
    }, end);
    return begun;
  }

  return {
    async get(key, make, signal) {
      signal.throwIfAborted();
      const frame = held.get(key);
      if (frame) {
        held.delete(key);
        held.set(key, frame);
        return frame;
      }
      const shared = making.get(key) ?? begin(key, make);
      shared.waiting++;
      const leave = Promise.withResolvers<never>();
      const abort = () => {
        leave.reject(signal.reason);
        if (--shared.waiting > 0) return;
        // Who asks from now on starts anew.
        making.delete(key);
        shared.stop.abort(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      try {
        return await Promise.race([shared.frame, leave.promise]);
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  };
}
